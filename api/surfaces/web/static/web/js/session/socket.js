// The socket is a hint: it comes back by itself, notices silence, and always says how far the page has read.

const SILENCE_MS = 25_000;
const HANDSHAKE_MS = 10_000;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 20_000;
const FORBIDDEN = 4403;

export class Socket {
  constructor(path, { after, onMessage, onState }) {
    this.address = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}${path}`;
    this.after = after;
    this.onMessage = onMessage;
    this.onState = onState;
    this.failures = 0;
    addEventListener("online", () => this.reconnect());
    document.addEventListener("visibilitychange", () => document.hidden || this.wake());
    this.open();
  }

  open() {
    clearTimeout(this.pause);
    const socket = new WebSocket(`${this.address}?after=${this.after()}`);
    this.socket = socket;
    this.listen(HANDSHAKE_MS);
    socket.onopen = () => {
      this.failures = 0;
      this.listen(SILENCE_MS);
      this.onState("open");
    };
    socket.onmessage = ({ data }) => {
      if (socket !== this.socket) return;
      this.heardAt = Date.now();
      this.listen(SILENCE_MS);
      this.onMessage(JSON.parse(data));
    };
    socket.onclose = ({ code }) => socket === this.socket && this.lost(code);
  }

  // Full jitter: a server that comes back is not met by everyone at once.
  lost(code) {
    clearTimeout(this.silence);
    this.socket = undefined;
    if (code === FORBIDDEN) return this.onState("forbidden");
    this.onState("lost");
    const longest = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** this.failures);
    this.failures += 1;
    this.pause = setTimeout(() => this.open(), Math.random() * longest);
  }

  listen(milliseconds) {
    clearTimeout(this.silence);
    this.silence = setTimeout(() => this.reconnect(), milliseconds);
  }

  // A page that slept may hold a socket that is dead on the other side.
  wake() {
    if (this.socket && Date.now() - (this.heardAt ?? 0) > SILENCE_MS) this.reconnect();
  }

  reconnect() {
    const old = this.socket;
    this.socket = undefined;
    old?.close();
    clearTimeout(this.silence);
    this.open();
  }
}
