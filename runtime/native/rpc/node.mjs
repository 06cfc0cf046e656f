/* The server in node: it listens, waits at a proxy, or serves one client on its standard streams.
 *
 *     node node.mjs --port 9090
 *     node node.mjs --port 0 --proxy 127.0.0.1:9290 --key phone
 *
 * The options are those of `tw rpc-server`. */

import { readFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { parseArgs } from "node:util";
import { setFlagsFromString } from "node:v8";
import { Worker } from "node:worker_threads";

import { dialed as dialedWebSocket } from "./page.mjs";
import { Channel, Server, checkEngine, factsOf, greeted } from "./session.mjs";

const KEEP_ALIVE_MS = 15_000, PAUSE_MS = 1000, MIN_TOKEN_CHARACTERS = 8, PAGE_BYTES = 1 << 16;
const OPTIONS = {
  host: { type: "string", default: "127.0.0.1" }, port: { type: "string", default: "9090" },
  unix: { type: "string" }, stdio: { type: "boolean", default: false },
  "token-file": { type: "string" }, tracker: { type: "string" }, proxy: { type: "string" },
  key: { type: "string", default: "wasm32" }, "memory-mb": { type: "string", default: "2048" },
  timeout: { type: "string", default: "3600" }, sessions: { type: "string", default: "4" },
};

/* Return the channel of a socket. */
function channelOf(socket) {
  socket.setNoDelay?.(true);
  socket.setKeepAlive?.(true, KEEP_ALIVE_MS);
  const channel = streamChannel(socket, socket, () => socket.end());
  socket.on("close", () => channel.end());
  return channel;
}

function streamChannel(input, output, close) {
  const channel = new Channel({
    send: (bytes) => new Promise((resolve) => { output.write(bytes, () => resolve()); }),
    close,
    pause: () => input.pause(),
    resume: () => input.resume(),
  });
  input.on("data", (bytes) => channel.push(bytes));
  input.on("end", () => channel.end());
  input.on("error", () => channel.end());
  return channel;
}

/* Return a promise of a channel to HOST:PORT, or to the address of a WebSocket. */
function dialed(address) {
  if (/^wss?:/.test(address))
    return dialedWebSocket(address);
  const [, host, port] = /^\[?([^\]]*)\]?:(\d+)$/.exec(address) ?? [];
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), host, () => resolve(channelOf(socket)));
    socket.on("error", reject);
  });
}

/* Return a new thread of a session; see `serve` in session.mjs. */
function startThread(onMessage, onFailure) {
  const worker = new Worker(new URL("./worker.mjs", import.meta.url));
  worker.on("message", onMessage);
  worker.on("error", (error) => onFailure(error.message));
  return {
    post: (message, buffers) => worker.postMessage(message, buffers),
    stop: () => worker.terminate(),
  };
}

/* Announce the server to a tracker at each heartbeat, always. */
async function announce(tracker, { key, token, facts }, address) {
  const device = [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, "0")).join("");
  for (;;) {
    let pauseMs = PAUSE_MS, channel;
    try {
      channel = await dialed(tracker);
      const ask = await greeted(channel, { key, token });
      for (;;) {
        [pauseMs] = await ask("announce", device, key, address, JSON.stringify(facts));
        await new Promise((resolve) => { setTimeout(resolve, pauseMs); });
      }
    } catch {
      channel?.close();
      await new Promise((resolve) => { setTimeout(resolve, PAUSE_MS); });
    }
  }
}

function refuse(words) {
  process.stderr.write(`${words}\n`);
  process.exit(2);
}

/* Listen, and serve clients until this process ends. */
function listen(given, settings, server) {
  const isOwn = given.unix !== undefined || /^(127\.|::1$|localhost$)/.test(given.host);
  if (!isOwn && settings.token.length < MIN_TOKEN_CHARACTERS)
    refuse(`a server on ${given.host} needs a token, because other machines can connect\n`
      + `    expected: --token-file FILE, with at least ${MIN_TOKEN_CHARACTERS} characters`);
  const listener = createServer((socket) => server.start(channelOf(socket)));
  listener.on("error", (error) => refuse(`no server can listen: ${error.message}`));
  if (given.unix !== undefined)
    process.umask(0o177);
  const place = given.unix === undefined ? { host: given.host, port: Number(given.port) } : given.unix;
  listener.listen(place, () => {
    const host = given.host.includes(":") ? `[${given.host}]` : given.host;
    const address = given.unix === undefined ? `${host}:${listener.address().port}` : `unix:${given.unix}`;
    process.stdout.write(`listening on ${address}\nsandbox lacks: \n`);
    if (given.tracker !== undefined)
      announce(given.tracker, { key: given.key, ...settings }, address);
    if (given.proxy !== undefined)
      server.waitAt(() => dialed(given.proxy), given.key);
  });
}

const { values: given } = parseArgs({ options: OPTIONS });
checkEngine();
const memoryMb = Number(given["memory-mb"]);
setFlagsFromString(`--wasm-max-mem-pages=${Math.floor((memoryMb * 2 ** 20) / PAGE_BYTES)}`);
const limits = { memoryBytes: memoryMb * 2 ** 20, fileBytes: memoryMb * 2 ** 19 };
const settings = {
  token: given["token-file"] === undefined ? "" : readFileSync(given["token-file"], "utf8").trim(),
  facts: factsOf(limits, `node ${process.versions.node}`, []), limits,
  timeoutMs: 1000 * Number(given.timeout), sessions: Number(given.sessions),
};
const server = new Server(settings, startThread, () => {});
if (given.stdio) {
  const { stdin, stdout } = process;
  await server.start(streamChannel(stdin, stdout, () => {}));
  stdin.destroy();
} else {
  listen(given, settings, server);
}
