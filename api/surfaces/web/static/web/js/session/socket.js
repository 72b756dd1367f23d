// The socket is a hint: it comes back by itself, notices silence, and always says how far the page has read.

const SILENCE_MS = 25_000;
const HANDSHAKE_MS = 10_000;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;
const HEALTHY_MS = 5_000;
const RESUME = 4008;
const FORBIDDEN = 4403;
const THROTTLED = 4429;
const THROTTLED_S = 15;

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
    this.openedAt = undefined;
    this.listen(HANDSHAKE_MS);
    socket.onopen = () => {
      this.openedAt = Date.now();
      this.listen(SILENCE_MS);
      this.onState("open");
    };
    socket.onmessage = ({ data }) => {
      if (socket !== this.socket) return;
      this.heardAt = Date.now();
      this.listen(SILENCE_MS);
      this.onMessage(JSON.parse(data));
    };
    socket.onclose = ({ code, reason }) => socket === this.socket && this.lost(code, reason);
  }

  // Full jitter, longer each time: a server that comes back is not met by everyone at once. What opens and falls at once
  // has not come back, and 4008 is no failure: the server is well and waits for this page.
  lost(code, reason) {
    clearTimeout(this.silence);
    this.socket = undefined;
    if (code === FORBIDDEN) return this.onState("forbidden");
    if (code === THROTTLED) return this.rest(Number(/^retry-after=(\d+)$/.exec(reason)?.[1] ?? THROTTLED_S));
    this.onState("lost");
    if (Date.now() - this.openedAt >= HEALTHY_MS) this.failures = 0;
    const longest = code === RESUME ? FIRST_PAUSE_MS : Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** this.failures);
    if (code !== RESUME) this.failures += 1;
    this.pause = setTimeout(() => this.open(), Math.random() * longest);
  }

  // Sooner would only be one more that is too many.
  rest(seconds) {
    const milliseconds = (seconds + Math.random()) * 1000;
    this.onState("throttled", Date.now() + milliseconds);
    this.pause = setTimeout(() => this.open(), milliseconds);
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
