/* The messages of the RPC protocol: the table, the bytes of their fields, and frames.
 *
 * In: the values of fields. Out: bytes, and the reverse. Numbers are numbers of JavaScript, up to
 * 2^53; the integers of values are BigInt. docs/rpc.md describes the protocol, and tests compare this
 * table with runtime/rpc/messages.py. */

export const VERSION = 1, MAGIC = 0x31525754, HEADER_BYTES = 24;
export const MAX_CHUNK_BYTES = 8 << 20, MAX_PAYLOAD_BYTES = MAX_CHUNK_BYTES + (64 << 10);
const MAX_RANK = 32, MAX_COUNT = 4096;
/* The kinds of frames. */
export const REQUEST = 0, REPLY = 1, ERROR = 2, ENDED = 3;

/* The messages of sessions, then those to a tracker and to a proxy: number, name, the fields of the
 * request, and those of the reply. */
export const TABLE = [
  [1, "hello", "version:u32 nonce:bytes", "version:u32 nonce:bytes"],
  [2, "authenticate", "key:text timeout_ms:u64 proof:bytes", "facts:text proof:bytes"],
  [3, "ping", "", ""],
  [4, "allocate", "kind:u32 index:u32 size:u64", "memory:u64"],
  [5, "free", "memory:u64", ""],
  [6, "write", "memory:u64 offset:u64 data:bytes", ""],
  [7, "read", "memory:u64 offset:u64 size:u64", "data:bytes"],
  [8, "copy", "target:u64 target_offset:u64 source:u64 source_offset:u64 size:u64", ""],
  [9, "upload", "name:text offset:u64 data:bytes", ""],
  [10, "download", "name:text offset:u64 size:u64", "data:bytes"],
  [11, "file_size", "name:text", "size:u64"],
  [12, "remove", "name:text", ""],
  [13, "load", "name:text threads:u32", "module:u64 manifest:text"],
  [14, "unload", "module:u64", ""],
  [15, "find", "module:u64 name:text", "function:u64"],
  [16, "drop", "function:u64", ""],
  [17, "call", "function:u64 arguments:values", "result:values"],
  [18, "run", "module:u64 inputs:values", "outputs:values"],
  [19, "shapes", "module:u64 inputs:shapes", "sizes:sizes"],
  [20, "time",
    "function:u64 number:u64 repeat:u32 least_ns:u64 cooldown_ns:u64 arguments:values",
    "number:u64 elapsed_ns:sizes"],
  [21, "devices", "kind:u32", "count:u32 attributes:text"],
  [22, "synchronize", "kind:u32 index:u32", ""],
  [32, "announce", "device:text key:text address:text facts:text", "heartbeat_ms:u64"],
  [48, "park", "key:text", ""],
].map(([number, name, request, reply]) => (
  { number, name, request: kindsOf(request), reply: kindsOf(reply) }));
export const BY_NAME = Object.fromEntries(TABLE.map((row) => [row.name, row]));
export const BY_NUMBER = new Map(TABLE.map((row) => [row.number, row]));
const ERROR_FIELDS = ["text", "text"];

function kindsOf(text) {
  return text.split(" ").filter(Boolean).map((word) => word.split(":")[1]);
}

/* The types of values; see packed.h. */
const NONE = 0, INT = 1, BOOL = 2, FLOAT = 3, STR = 65, FUNCTION = 68, TENSOR = 70;

/* Bytes that are no message of the protocol. */
export class Malformed extends Error {}

/* An error of a request; `kind` is the name of the error in Python. */
export class HostError extends Error {
  constructor(kind, message) {
    super(message);
    this.kind = kind;
  }
}

/* A handle of a function, and a tensor in memory of the session, as values. */
export class FunctionHandle {
  constructor(handle) {
    this.handle = handle;
  }
}

export class RemoteTensor {
  constructor(handle, dtype, shape) {
    Object.assign(this, { handle, dtype, shape });
  }
}

/* ---- reading ----------------------------------------------------------------------------------- */

const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

class Reader {
  #view;
  #at = 0;

  constructor(bytes) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /* Return the position of the next bytes, which this skips. */
  skip(size) {
    if (size > this.#view.byteLength - this.#at)
      throw new Malformed("a message is shorter than its fields");
    this.#at += size;
    return this.#at - size;
  }

  take(size) {
    const at = this.skip(size);
    return new Uint8Array(this.#view.buffer, this.#view.byteOffset + at, size);
  }

  u32() {
    return this.#view.getUint32(this.skip(4), true);
  }

  u64() {
    return Number(this.#view.getBigUint64(this.skip(8), true));
  }

  i64() {
    return this.#view.getBigInt64(this.skip(8), true);
  }

  f64() {
    return this.#view.getFloat64(this.skip(8), true);
  }

  count(most = MAX_COUNT) {
    const found = this.u32();
    if (found > most)
      throw new Malformed(`a list of a message has ${found} elements, more than ${most}`);
    return found;
  }

  text() {
    const bytes = this.take(this.count(MAX_PAYLOAD_BYTES));
    try {
      return UTF8.decode(bytes);
    } catch {
      throw new Malformed("a text of a message is not UTF-8");
    }
  }

  bytes() {
    return this.take(this.u64());
  }

  list(read) {
    return Array.from({ length: this.count() }, read);
  }

  sizes() {
    return this.list(() => Number(this.i64()));
  }

  shapes() {
    return this.list(() => this.sizes());
  }

  values() {
    return this.list(() => this.value());
  }

  value() {
    const kind = this.u32();
    if (kind === NONE)
      return null;
    if (kind === BOOL)
      return this.i64() !== 0n;
    if (kind === INT)
      return this.i64();
    if (kind === FLOAT)
      return this.f64();
    if (kind === STR)
      return this.text();
    if (kind === FUNCTION)
      return new FunctionHandle(this.u64());
    if (kind !== TENSOR)
      throw new Malformed(`a value of a message has the unknown type ${kind}`);
    const tensor = new RemoteTensor(this.u64(), this.u32(), this.sizes());
    if (tensor.shape.length > MAX_RANK)
      throw new Malformed(`a tensor of a message has ${tensor.shape.length} dimensions`);
    return tensor;
  }

  end() {
    if (this.#at !== this.#view.byteLength)
      throw new Malformed("a message has bytes too many");
  }
}

/* Return the values of the fields of a payload; throws Malformed. */
export function read(kinds, payload) {
  const reader = new Reader(payload);
  const values = kinds.map((kind) => reader[kind]());
  reader.end();
  return values;
}

/* ---- writing ----------------------------------------------------------------------------------- */

/* Return a number as little-endian bytes; `set` is the method of DataView that stores it. */
function number(size, set, value) {
  const view = new DataView(new ArrayBuffer(size));
  view[set](0, value, true);
  return new Uint8Array(view.buffer);
}

const u32 = (value) => number(4, "setUint32", value);
const u64 = (value) => number(8, "setBigUint64", BigInt(value));
const i64 = (value) => number(8, "setBigInt64", BigInt(value));
const f64 = (value) => number(8, "setFloat64", value);

const WRITERS = {
  u32: (value) => [u32(value)],
  u64: (value) => [u64(value)],
  text: (text) => {
    const bytes = new TextEncoder().encode(text);
    return [u32(bytes.length), bytes];
  },
  bytes: (bytes) => [u64(bytes.length), bytes],
  sizes: (sizes) => [u32(sizes.length), ...sizes.map(i64)],
  shapes: (shapes) => [u32(shapes.length), ...shapes.flatMap((sizes) => WRITERS.sizes(sizes))],
  values: (values) => [u32(values.length), ...values.flatMap(valueParts)],
};

function valueParts(value) {
  if (value === null)
    return [u32(NONE)];
  if (typeof value === "boolean")
    return [u32(BOOL), i64(Number(value))];
  if (typeof value === "bigint")
    return [u32(INT), i64(value)];
  if (typeof value === "number")
    return [u32(FLOAT), f64(value)];
  if (typeof value === "string")
    return [u32(STR), ...WRITERS.text(value)];
  if (value instanceof FunctionHandle)
    return [u32(FUNCTION), u64(value.handle)];
  return [u32(TENSOR), u64(value.handle), u32(value.dtype), ...WRITERS.sizes(value.shape)];
}

/* Return the parts of a payload; data of a field of kind `bytes` is not copied. */
export function written(kinds, values) {
  return kinds.flatMap((kind, index) => WRITERS[kind](values[index]));
}

/* Return the bytes of all parts in a row. */
export function joined(parts) {
  const made = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    made.set(part, at);
    at += part.length;
  }
  return made;
}

/* ---- frames ------------------------------------------------------------------------------------ */

/* Return the parts of a frame: its header with all small parts of the payload, then large data. */
export function frame(kind, status, id, payload) {
  const size = payload.reduce((sum, part) => sum + part.length, 0);
  const header = new DataView(new ArrayBuffer(HEADER_BYTES));
  header.setUint32(0, MAGIC, true);
  header.setUint16(4, kind, true);
  header.setUint16(6, status, true);
  header.setUint32(8, id, true);
  header.setBigUint64(16, BigInt(size), true);
  const first = [new Uint8Array(header.buffer)], rest = [...payload];
  while (rest.length > 0 && rest[0].length <= MAX_COUNT)
    first.push(rest.shift());
  return [joined(first), ...rest];
}

/* Return the parts of a frame that reports an error. */
export function errorFrame(row, status, id, kind, message) {
  return frame(row, status, id, written(ERROR_FIELDS, [kind, message]));
}

/* Return the fields of a header; throws Malformed. */
export function readHeader(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, HEADER_BYTES);
  const kind = view.getUint16(4, true), status = view.getUint16(6, true);
  const id = view.getUint32(8, true), size = Number(view.getBigUint64(16, true));
  if (view.getUint32(0, true) !== MAGIC || view.getUint32(12, true) !== 0 || status > ENDED)
    throw new Malformed("the other end speaks another protocol");
  if (size > MAX_PAYLOAD_BYTES)
    throw new Malformed(`a message has ${size} bytes, more than ${MAX_PAYLOAD_BYTES}`);
  return { kind, status, id, size };
}

/* Return the kind and the message of a frame with the status ERROR or ENDED. */
export function readError(payload) {
  return read(ERROR_FIELDS, payload);
}
