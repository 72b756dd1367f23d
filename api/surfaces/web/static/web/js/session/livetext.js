// The text of one model call as it arrives: pieces carry their place, counted in characters (code points).

const length = (text) => [...text].length;
const beyond = (text, count) => [...text].slice(count).join("");

export class LiveText {
  constructor() {
    this.text = "";
    this.chars = 0;
    this.early = new Map();
  }

  // True while a piece is missing before those that wait.
  get hasGap() {
    return this.early.size > 0;
  }

  add(offset, text) {
    this.early.set(offset, text);
    this.#join();
  }

  // The server's text so far; it may be shorter than what is here already.
  catchUp(text) {
    if (length(text) > this.chars) {
      this.text = text;
      this.chars = length(text);
    }
    this.#join();
  }

  #join() {
    for (const [offset, text] of [...this.early].sort(([a], [b]) => a - b)) {
      if (offset > this.chars) return;
      this.early.delete(offset);
      const fresh = beyond(text, this.chars - offset);
      this.text += fresh;
      this.chars += length(fresh);
    }
  }
}
