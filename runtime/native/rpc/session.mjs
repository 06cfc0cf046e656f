/* Sessions of clients: the handshake, then requests, which a thread of the session answers.
 *
 * In: a channel, that is a stream of bytes to a client. Out: replies, and a last frame with the reason
 * if the session ends early. This thread runs no code of modules, so it can end a thread that hangs. */

import { supports } from "../web.mjs";
import {
  BY_NAME, ENDED, ERROR, HEADER_BYTES, Malformed, REPLY, REQUEST, VERSION, errorFrame,
  frame, joined, read, readError, readHeader, written,
} from "./wire.mjs";

const NONCE_BYTES = 32, MAX_HANDSHAKE_BYTES = 1024, HANDSHAKE_MS = 10_000;
/* The received bytes of a channel that wait: above the first number, a channel that can pause does;
 * above the second, the session ends. A client sends at most 8 chunks of 8 MB before it waits. */
const PAUSE_BYTES = 16 << 20, MAX_WAITING_BYTES = 128 << 20;
const FIRST_SESSION = 3, LAST_SESSION = 31; // the numbers of messages after the handshake

/* The other end has closed the channel. */
class Gone extends Error {}

/* A stream of bytes between both ends of a connection. A transport calls `push` and `end`, and has the
 * methods of `transport`: send(bytes), a promise that resolves when more can be sent; close(); and
 * perhaps pause() and resume(). */
export class Channel {
  #transport;
  #parts = [];
  #waiting = 0;
  #wanted = null;
  #failed = null;
  /* Called once, with the error, when the channel ends. */
  onEnd = () => {};

  constructor(transport) {
    this.#transport = transport;
  }

  /* Bytes have come. */
  push(bytes) {
    this.#parts.push(bytes);
    this.#waiting += bytes.length;
    if (this.#waiting > PAUSE_BYTES)
      this.#transport.pause?.();
    if (this.#waiting > MAX_WAITING_BYTES)
      this.fail(new Malformed("the client sends more than it may without waiting for replies"));
    this.#wake();
  }

  /* The other end has closed the connection. */
  end() {
    this.fail(new Gone("the connection is closed"));
  }

  /* Let operations fail from now on. */
  fail(error) {
    if (this.#failed !== null)
      return;
    this.#failed = error;
    this.#wake();
    this.onEnd(error);
  }

  /* Return the next bytes. */
  async take(size) {
    if (this.#failed === null && this.#waiting < size) {
      this.#transport.resume?.();
      await new Promise((resolve) => { this.#wanted = { size, resolve }; });
    }
    if (this.#failed !== null)
      throw this.#failed;
    const made = new Uint8Array(size);
    for (let at = 0; at < size;) {
      const part = this.#parts[0], count = Math.min(part.length, size - at);
      made.set(part.subarray(0, count), at);
      at += count;
      if (count === part.length)
        this.#parts.shift();
      else
        this.#parts[0] = part.subarray(count);
    }
    this.#waiting -= size;
    return made;
  }

  /* Wait until bytes have come. */
  async wait() {
    if (this.#failed === null && this.#waiting === 0)
      await new Promise((resolve) => { this.#wanted = { size: 1, resolve }; });
    if (this.#failed !== null)
      throw this.#failed;
  }

  /* Send parts; wait until the transport can take more. */
  async send(parts) {
    for (const part of parts)
      await this.#transport.send(part);
  }

  close() {
    this.#transport.close();
  }

  /* Send the reason for the end of the session, without waiting, and close the channel. */
  refuse(reason) {
    this.#transport.send(joined(errorFrame(0, ENDED, 0, "RuntimeError", reason)));
    this.#transport.close();
  }

  #wake() {
    if (this.#wanted === null || (this.#failed === null && this.#waiting < this.#wanted.size))
      return;
    const { resolve } = this.#wanted;
    this.#wanted = null;
    resolve();
  }
}

/* ---- proofs ------------------------------------------------------------------------------------ */

/* Return the functions that make and check the proofs of one connection; see runtime/rpc/proof.py. */
async function prover(token, serverNonce, clientNonce) {
  // Zeros at the end of a key change no HMAC, and an empty key is not allowed here.
  const text = new TextEncoder(), secret = text.encode(token === "" ? "\0" : token);
  const use = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", secret, use, false, ["sign", "verify"]);
  const signed = (role, fields) => (
    joined([text.encode(`tilewright rpc 1 ${role}`), serverNonce, clientNonce, ...fields]));
  return {
    make: async (role, fields = []) => (
      new Uint8Array(await crypto.subtle.sign("HMAC", key, signed(role, fields)))),
    // The comparison takes the same time for all proofs.
    isRight: (role, proof, fields = []) => (
      crypto.subtle.verify("HMAC", key, proof, signed(role, fields))),
  };
}

/* Return what the proof of a client covers. */
function clientFields(key, timeoutMs) {
  return [...written(["u64"], [timeoutMs]), new TextEncoder().encode(key)];
}

function newNonce() {
  return crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
}

/* Check that this page may compute proofs and digests. */
export function checkEngine() {
  if (globalThis.crypto?.subtle === undefined)
    throw new Error("this page has no WebCrypto: open it by https:, or from localhost");
}

async function receive(channel, most) {
  const { kind, status, id, size } = readHeader(await channel.take(HEADER_BYTES));
  if (size > most)
    throw new Malformed("a message of the handshake is too long");
  return { kind, status, id, payload: await channel.take(size) };
}

/* ---- the end of a server ----------------------------------------------------------------------- */

/* Answer the handshake of a client. Return how long it wants the session to last, 0 for no limit. */
async function greet(channel, { token, facts }) {
  const expect = async (name) => {
    const { kind, status, id, payload } = await receive(channel, MAX_HANDSHAKE_BYTES);
    if (kind !== BY_NAME[name].number || status !== REQUEST)
      throw new Malformed(`message ${kind} is not allowed before the handshake`);
    return { id, fields: read(BY_NAME[name].request, payload) };
  };
  const answer = (name, id, fields) => (
    channel.send(frame(BY_NAME[name].number, REPLY, id, written(BY_NAME[name].reply, fields))));
  const hello = await expect("hello"), nonce = newNonce();
  if (hello.fields[1].length !== NONCE_BYTES)
    throw new Malformed("the handshake is malformed");
  await answer("hello", hello.id, [VERSION, nonce]);
  const { make, isRight } = await prover(token, nonce, hello.fields[1]);
  const { id, fields: [key, timeoutMs, proof] } = await expect("authenticate");
  if (!await isRight("client", proof, clientFields(key, timeoutMs)))
    throw new Malformed("the client does not know the token of this server");
  await answer("authenticate", id, [JSON.stringify(facts), await make("server")]);
  return timeoutMs;
}

/* Serve one client until the session ends. Return the reason, or null if the client has ended it.
 *
 * settings: token, facts, limits (memoryBytes, fileBytes), timeoutMs. startThread: starts worker.mjs;
 * it takes functions for messages and for a failure, and returns post(message, buffers) and stop(). */
async function serve(channel, settings, startThread) {
  let thread = null, timer = null, pending = null, reason = null;
  const limit = (ms, words) => {
    clearTimeout(timer);
    timer = setTimeout(() => channel.fail(new Malformed(words)), Math.min(ms, 2 ** 31 - 1));
  };
  channel.onEnd = (error) => pending?.reject(error);
  const asked = (message) => new Promise((resolve, reject) => {
    pending = { resolve, reject };
    thread.post(message, [message.payload.buffer]);
  });
  try {
    limit(HANDSHAKE_MS, "the handshake takes too long");
    const wantedMs = await greet(channel, settings), ms = Math.min(wantedMs || Infinity, settings.timeoutMs);
    limit(ms, `its time is up: at most ${ms / 1000} seconds`);
    thread = startThread(
      (message) => pending.resolve(message),
      (words) => channel.fail(new Malformed(`its thread ended: ${words}`)));
    thread.post({ limits: settings.limits }, []);
    for (;;) {
      const message = await receive(channel, Infinity);
      const { kind, status } = message;
      if (status !== REQUEST || kind < FIRST_SESSION || kind > LAST_SESSION)
        throw new Malformed(`message ${kind} is not allowed here`);
      const { parts, ended } = await asked(message);
      if (ended !== undefined)
        throw new Malformed(ended);
      await channel.send(parts);
    }
  } catch (error) {
    reason = error instanceof Gone ? null : error.message;
  }
  clearTimeout(timer);
  thread?.stop();
  if (reason === null)
    channel.close();
  else
    channel.refuse(reason);
  return reason;
}

/* The server of many clients.
 *
 * settings: those of `serve`, and the most sessions at once. report: called with words. */
export class Server {
  #settings;
  #startThread;
  #report;
  #running = 0;

  constructor(settings, startThread, report) {
    this.#settings = settings;
    this.#startThread = startThread;
    this.#report = report;
  }

  /* Serve a client, unless there are too many. */
  async start(channel) {
    if (this.#running >= this.#settings.sessions) {
      channel.refuse(`the server has ${this.#running} sessions`);
      return;
    }
    this.#running++;
    this.#report(`${this.#running} sessions`);
    const reason = await serve(channel, this.#settings, this.#startThread);
    this.#running--;
    this.#report(`${this.#running} sessions${reason === null ? "" : `; the last one ended: ${reason}`}`);
  }

  /* Wait at a proxy for clients, always. dial: returns a promise of a new channel to the proxy.
   * key: what clients ask for. pauseMs: the pause after a failure. */
  async waitAt(dial, key, pauseMs = 1000) {
    for (;;) {
      let channel;
      try {
        channel = await dial();
        const ask = await greeted(channel, { key, token: this.#settings.token });
        await ask("park", key);
        this.#report(`waiting for clients of ${key}`);
        await channel.wait();
        this.start(channel);
      } catch (error) {
        channel?.close();
        this.#report(`no connection with the proxy: ${error.message}`);
        await new Promise((resolve) => { setTimeout(resolve, pauseMs); });
      }
    }
  }
}

/* ---- the end of a client ----------------------------------------------------------------------- */

/* Begin a connection with a proxy or a tracker. Return the function that sends it a message and returns the reply. */
export async function greeted(channel, { key, token }) {
  let id = 0;
  const ask = async (name, ...fields) => {
    const row = BY_NAME[name];
    await channel.send(frame(row.number, REQUEST, ++id, written(row.request, fields)));
    const { kind, status, payload } = await receive(channel, Infinity);
    if (status === ERROR || status === ENDED)
      throw new Error(readError(payload)[1]);
    if (kind !== row.number)
      throw new Malformed("the other end answers another message");
    return read(row.reply, payload);
  };
  const own = newNonce();
  const [version, nonce] = await ask("hello", VERSION, own);
  if (version !== VERSION)
    throw new Malformed(`the other end speaks version ${version}, not ${VERSION}`);
  const { make, isRight } = await prover(token, nonce, own);
  const [, proof] = await ask("authenticate", key, 0, await make("client", clientFields(key, 0)));
  if (!await isRight("server", proof))
    throw new Error("the other end does not know the token");
  return ask;
}

/* Return what a server says about itself. engine: the name of the program that runs it. missing: what
 * its sandbox lacks. */
export function factsOf(limits, engine, missing) {
  return {
    server: "web", machine: "wasm32", engine, features: ["simd128", "relaxed-simd"].filter(supports),
    threads: 1, memory_bytes: limits.memoryBytes, file_bytes: limits.fileBytes, missing,
  };
}
