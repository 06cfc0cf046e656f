/* The server in a page of a browser: it connects to a proxy by WebSockets, and waits for clients.
 *
 *     import { serveAt } from "./rpc/page.mjs";
 *     serveAt("ws://127.0.0.1:9290", { key: "phone", token: "a long secret" }, console.log);
 */

import { Channel, Server, checkEngine, factsOf } from "./session.mjs";

/* The most bytes that wait in the browser until they are sent. */
const MAX_BUFFERED = 16 << 20, PAUSE_MS = 5;
const MISSING = ["a limit of the memory that a call takes"];

/* Return a promise of a channel to the proxy at an address, such as ws://127.0.0.1:9290. */
export function dialed(address) {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(address);
    socket.binaryType = "arraybuffer";
    const channel = new Channel({
      send: async (bytes) => {
        socket.send(bytes);
        while (socket.bufferedAmount > MAX_BUFFERED && socket.readyState === WebSocket.OPEN)
          await new Promise((next) => { setTimeout(next, PAUSE_MS); });
      },
      close: () => socket.close(),
    });
    socket.onopen = () => resolve(channel);
    socket.onmessage = ({ data }) => channel.push(new Uint8Array(data));
    socket.onclose = ({ reason }) => {
      channel.end();
      reject(new Error(reason || `nothing answers at ${address}, or it refuses this page`));
    };
  });
}

/* Return a new thread of a session; see `serve` in session.mjs. */
function startThread(onMessage, onFailure) {
  const worker = new Worker(new URL("./worker.mjs", import.meta.url), { type: "module" });
  worker.onmessage = ({ data }) => onMessage(data);
  worker.onerror = ({ message }) => onFailure(message);
  return {
    post: (message, buffers) => worker.postMessage(message, buffers),
    stop: () => worker.terminate(),
  };
}

/* Wait at a proxy for clients, and serve them, as long as the page is open.
 *
 * key: what clients ask for. token: the secret of the proxy and of the clients. memoryMb: the memory
 * of a session. timeoutS: its longest duration. sessions: how many there are at once. report: called
 * with words about the state. */
export async function serveAt(address, options, report = () => {}) {
  checkEngine();
  const { key, token = "", memoryMb = 1024, timeoutS = 3600, sessions = 4 } = options;
  const limits = { memoryBytes: memoryMb * 2 ** 20, fileBytes: memoryMb * 2 ** 19 };
  const facts = factsOf(limits, navigator.userAgent, MISSING);
  const settings = { token, facts, limits, timeoutMs: 1000 * timeoutS, sessions };
  await new Server(settings, startThread, report).waitAt(() => dialed(address), key);
}
