/* The thread of one session: it runs modules, so that one that hangs or traps ends only this thread.
 *
 * In: first the limits of the session, then requests. Out: for each request the status and the parts
 * of the reply, or the reason for the end of the session. */

import { TilewrightError } from "../web.mjs";
import { Host } from "./host.mjs";
import {
  BY_NUMBER, ERROR, HostError, Malformed, REPLY, errorFrame, frame, read, written,
} from "./wire.mjs";

const isNode = typeof process !== "undefined" && process.versions?.node !== undefined;
const port = isNode ? (await import("node:worker_threads")).parentPort : self;
let host;

/* Return the parts of the reply to a request; throws the error that ends the session. */
async function reply({ kind, id, payload }) {
  const row = BY_NUMBER.get(kind);
  if (row === undefined)
    return errorFrame(kind, ERROR, id, "NotImplementedError",
      `a session of WebAssembly has no message ${kind}`);
  try {
    const fields = read(row.request, payload);
    return frame(kind, REPLY, id, written(row.reply, await host[row.name](...fields)));
  } catch (error) {
    if (error instanceof Malformed)
      return errorFrame(kind, ERROR, id, "ValueError", `message ${row.name} is malformed`);
    if (error instanceof HostError || error instanceof TilewrightError)
      return errorFrame(kind, ERROR, id, error.kind, error.message);
    throw error;
  }
}

async function answer(message) {
  if (message.limits !== undefined) {
    host = new Host(message.limits);
    return;
  }
  try {
    const parts = await reply(message);
    port.postMessage({ parts }, parts.map((part) => part.buffer));
  } catch (error) {
    port.postMessage({ ended: `the module stopped: ${error.name}: ${error.message}` });
  }
}

if (isNode)
  port.on("message", answer);
else
  port.onmessage = ({ data }) => answer(data);
