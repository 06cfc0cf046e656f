/* The objects of one session: memory, files, modules and functions, and the messages about them.
 *
 * In: the fields of a request. Out: those of the reply; HostError or TilewrightError for a request
 * that fails. Memory belongs to JavaScript: a call copies its tensors to the memory of the module, and
 * the outputs back. A module is WebAssembly without imports, so its code computes, and can do nothing
 * else. A handle is a number that is never used again. */

import { elements, instantiated } from "../web.mjs";
import { HostError, MAX_CHUNK_BYTES, RemoteTensor } from "./wire.mjs";

const MAX_OBJECTS = 4096, MAX_FILES = 64, MAX_REPEAT = 1000, MAX_NUMBER = 2 ** 40;
const FILE_NAME = /^[A-Za-z0-9_][A-Za-z0-9_.+-]{0,199}$/;
const CPU = 1;
/* The type code and the bits of each dtype; see DTYPES in runtime/abi/constants.py. */
export const DTYPES = {
  int8: [0, 8], int16: [0, 16], int32: [0, 32], int64: [0, 64],
  uint8: [1, 8], uint16: [1, 16], uint32: [1, 32], uint64: [1, 64],
  float16: [2, 16], float32: [2, 32], float64: [2, 64], bfloat16: [4, 16],
  complex64: [5, 64], complex128: [5, 128], bool: [6, 8],
  float8_e3m4: [7, 8], float8_e4m3: [8, 8], float8_e4m3b11fnuz: [9, 8], float8_e4m3fn: [10, 8],
  float8_e4m3fnuz: [11, 8], float8_e5m2: [12, 8], float8_e5m2fnuz: [13, 8], float8_e8m0fnu: [14, 8],
  float6_e2m3fn: [15, 6], float6_e3m2fn: [16, 6], float4_e2m1fn: [17, 4],
  int2: [0, 2], int4: [0, 4], uint2: [1, 2], uint4: [1, 4],
};
const MAIN = "__tvm_ffi_main";
/* The clock of a browser counts steps of up to a millisecond. If a step takes longer than COARSE_MS,
 * a repeat of a measurement takes at least STEPS of them. */
const COARSE_MS = 0.004, STEPS = 100;
/* The section of a module with the digest of all bytes before it; DIGEST_TAIL are its bytes before the
 * digest: the kind of the section, its length, its name, and the length of the digest. */
const DIGEST_BYTES = 32;
const DIGEST_TAIL = [0, 42, 8, ...new TextEncoder().encode("build_id"), DIGEST_BYTES];

export class Host {
  #objects = new Map();
  #files = new Map();
  #next = 0;
  #usedBytes = 0;
  #limits;
  #clockMs;

  /* limits: memoryBytes and fileBytes of the session. */
  constructor(limits) {
    this.#limits = limits;
  }

  ping() {
    return [];
  }

  /* ---- memory -------------------------------------------------------------------------------- */

  allocate(kind, index, size) {
    this.#checkDevice(kind, index);
    return [this.#keep(size, () => new Uint8Array(size))];
  }

  free(memory) {
    this.#usedBytes -= this.#taken(memory, "memory").length;
    return [];
  }

  write(memory, offset, data) {
    this.#part(memory, offset, data.length).set(data);
    return [];
  }

  read(memory, offset, size) {
    checkChunk(size);
    return [this.#part(memory, offset, size).slice()];
  }

  copy(target, targetOffset, source, sourceOffset, size) {
    const into = this.#part(target, targetOffset, size);
    into.set(this.#part(source, sourceOffset, size));
    return [];
  }

  /* ---- files --------------------------------------------------------------------------------- */

  upload(name, offset, data) {
    if (!FILE_NAME.test(name))
      throw new HostError("ValueError", "a file of a session has a name that is not allowed\n"
        + "    expected: up to 200 letters, digits and ._+-, no folder\n"
        + `    got: ${name.slice(0, 200)}`);
    const held = offset === 0 ? { bytes: new Uint8Array(0), size: 0 } : this.#file(name);
    if (offset !== held.size)
      throw new HostError("ValueError", `${name} is uploaded out of order\n`
        + `    expected: offset ${held.size}\n    got: ${offset}`);
    const replaced = this.#files.get(name);
    let total = held.size + data.length;
    for (const file of this.#files.values())
      total += file === held || file === replaced ? 0 : file.size;
    const isFull = this.#files.size >= MAX_FILES && replaced === undefined;
    if (isFull || total > this.#limits.fileBytes)
      throw new HostError("MemoryError", "the files of the session are too large\n"
        + `    expected: at most ${MAX_FILES} files and ${this.#limits.fileBytes} bytes`);
    if (held.size + data.length > held.bytes.length) {
      const grown = allocated(held.size === 0 ? data.length : 2 * (held.size + data.length));
      grown.set(held.bytes.subarray(0, held.size));
      held.bytes = grown;
    }
    held.bytes.set(data, held.size);
    held.size += data.length;
    this.#files.set(name, held);
    return [];
  }

  download(name, offset, size) {
    checkChunk(size);
    const { bytes, size: length } = this.#file(name);
    if (offset + size > length)
      throw new HostError("ValueError", `${name} has fewer bytes\n    expected: at most ${length}`);
    return [bytes.slice(offset, offset + size)];
  }

  file_size(name) {
    return [this.#file(name).size];
  }

  remove(name) {
    this.#file(name);
    this.#files.delete(name);
    return [];
  }

  /* ---- modules ------------------------------------------------------------------------------- */

  async load(name, threads) {
    const { bytes, size } = this.#file(name), code = bytes.subarray(0, size);
    await checkDigest(name, code);
    const program = await loaded(name, code), { memoryBytes } = program;
    const module = { program, memoryBytes, references: 1 };
    return [this.#keep(memoryBytes, () => ({ module })), program.manifestText];
  }

  unload(module) {
    this.#release(this.#taken(module, "module").module);
    return [];
  }

  find(module, name) {
    if (module === 0)
      throw new HostError("KeyError", `there is no global function of the name ${name}`
        + "\n    got: a session of WebAssembly");
    const { module: found } = this.#found(module, "module");
    if (name !== "main" && name !== found.program.manifest.name)
      throw new HostError("KeyError", `the module has no function of this name\n    expected: main\n`
        + `    got: ${name}`);
    const handle = this.#add({ main: found });
    found.references++;
    return [handle];
  }

  drop(handle) {
    this.#release(this.#taken(handle, "main").main);
    return [];
  }

  /* ---- calls --------------------------------------------------------------------------------- */

  call(handle, values) {
    const { main } = this.#found(handle, "main"), { program } = main;
    const tensors = this.#tensors(values), placed = program.place(tensors);
    program.call(MAIN, placed);
    fill(tensors, program, placed);
    this.#count(main);
    return [[null]];
  }

  run(module, values) {
    const { module: found } = this.#found(module, "module"), { program } = found;
    const dtypes = program.manifest.outputs.map(({ dtype }) => dtypeOf(dtype));
    const kept = [];
    try {
      for (const { shape, data } of program.run(this.#tensors(values), dtypes))
        kept.push(new RemoteTensor(
          this.#keep(data.length, () => data), dtypes[kept.length].code, shape));
    } catch (error) {
      kept.forEach((tensor) => this.free(tensor.handle));
      throw error;
    }
    this.#count(found);
    return [kept];
  }

  shapes(module, shapes) {
    const { program } = this.#found(module, "module").module, { inputs, sizes } = program.manifest;
    if (shapes.length !== inputs.length)
      throw new HostError("TypeError", "wrong number of shapes\n"
        + `    expected: ${inputs.length}\n    got: ${shapes.length}`);
    const given = shapes.map((shape, at) => ({ code: dtypeOf(inputs[at].dtype).code, shape }));
    return [[...program.outputShapes(given).flat(), ...(sizes > 0 ? [sizes] : [])]];
  }

  async time(handle, number, repeat, leastNs, cooldownNs, values) {
    if (!(number >= 1 && number <= MAX_NUMBER && repeat >= 1 && repeat <= MAX_REPEAT))
      throw new HostError("ValueError", "a measurement has a wrong number of calls\n    expected: "
        + `number of at most 2^40, repeat of at most ${MAX_REPEAT}\n`
        + `    got: number ${number}, repeat ${repeat}`);
    const { main } = this.#found(handle, "main"), { program } = main;
    const tensors = this.#tensors(values), placed = program.place(tensors);
    program.call(MAIN, placed);
    const elapsed = [], least = Math.max(1e-6 * leastNs, this.#leastMs());
    while (elapsed.length < repeat) {
      if (cooldownNs > 0)
        await new Promise((resolve) => { setTimeout(resolve, 1e-6 * cooldownNs); });
      const start = performance.now();
      program.call(MAIN, placed, number);
      const ms = performance.now() - start;
      if (ms >= least || number >= MAX_NUMBER)
        elapsed.push(Math.round(1e6 * ms));
      else
        number = Math.min(MAX_NUMBER,
          Math.ceil(Math.max((number * least) / Math.max(ms, least / 1000), 1.6 * number)) + 1);
    }
    fill(tensors, program, placed);
    this.#count(main);
    return [number, elapsed];
  }

  devices(kind) {
    const facts = { name: "wasm32", threads: 1, memory_bytes: this.#limits.memoryBytes };
    return kind === CPU ? [1, JSON.stringify([facts])] : [0, "[]"];
  }

  synchronize(kind, index) {
    this.#checkDevice(kind, index);
    return [];
  }

  /* ---- the objects --------------------------------------------------------------------------- */

  #add(made) {
    if (this.#objects.size >= MAX_OBJECTS)
      throw new HostError("MemoryError",
        `a session has too many objects\n    expected: at most ${MAX_OBJECTS}`);
    this.#objects.set(++this.#next, made);
    return this.#next;
  }

  /* Keep an object that takes memory, if the session has room for it; return its handle. */
  #keep(bytes, make) {
    if (this.#usedBytes + bytes > this.#limits.memoryBytes)
      throw new HostError("MemoryError", "the session would use too much memory\n"
        + `    expected: at most ${this.#limits.memoryBytes} bytes\n`
        + `    got: ${this.#usedBytes + bytes} bytes`);
    const made = withMemory(make), handle = this.#add(made instanceof Uint8Array ? { memory: made } : made);
    this.#usedBytes += bytes;
    return handle;
  }

  /* Return the object of a handle; `field` is what its kind of objects has. */
  #found(handle, field) {
    const found = this.#objects.get(handle);
    if (found === undefined || found[field] === undefined)
      throw new HostError("KeyError", `the session has no ${field} of this handle\n    got: ${handle}`);
    return found;
  }

  #taken(handle, field) {
    const found = this.#found(handle, field);
    this.#objects.delete(handle);
    return field === "memory" ? found.memory : found;
  }

  /* Drop a reference to a module. */
  #release(module) {
    module.references--;
    if (module.references === 0)
      this.#usedBytes -= module.memoryBytes;
  }

  /* Count the memory by which a call has grown its module; throws the error that ends the session. */
  #count(module) {
    this.#usedBytes += module.program.memoryBytes - module.memoryBytes;
    module.memoryBytes = module.program.memoryBytes;
    if (this.#usedBytes > this.#limits.memoryBytes)
      throw new Error(`the session uses ${this.#usedBytes} bytes of memory, more than `
        + `${this.#limits.memoryBytes}`);
  }

  #file(name) {
    const found = this.#files.get(name);
    if (found === undefined)
      throw new HostError("KeyError", `the session has no file of this name\n    got: ${name}\n`
        + "    hint: upload it first");
    return found;
  }

  #part(handle, offset, size) {
    const { memory } = this.#found(handle, "memory");
    if (offset + size > memory.length)
      throw new HostError("ValueError", "a message uses bytes outside of its memory\n"
        + `    expected: bytes 0 to ${memory.length}\n    got: ${size} bytes at ${offset}`);
    return memory.subarray(offset, offset + size);
  }

  #tensors(values) {
    return values.map((value) => {
      if (!(value instanceof RemoteTensor))
        throw new HostError("TypeError", "a module of WebAssembly takes arrays only");
      const { dtype: code, shape } = value, width = Math.ceil((code >> 8 & 0xFF) / 8);
      const bytes = elements(shape) * width;
      if (code >>> 16 !== 1 || width === 0 || shape.some((size) => size < 0))
        throw new HostError("ValueError", "a tensor of a message has an unknown dtype or a negative "
          + `size\n    got: dtype ${code}, shape [${shape}]`);
      return { code, shape, bytes, data: this.#part(value.handle, 0, bytes) };
    });
  }

  #checkDevice(kind, index) {
    if (kind !== CPU || index !== 0)
      throw new HostError("ValueError", "this server has no such device\n"
        + `    expected: kind ${CPU} (cpu), index 0\n    got: kind ${kind}, index ${index}`);
  }

  /* Return the milliseconds that a repeat takes at least; 0 for a clock of small steps. */
  #leastMs() {
    if (this.#clockMs === undefined) {
      this.#clockMs = Infinity;
      for (let time = 0; time < 3; time++) {
        const start = performance.now();
        let next = start;
        while (next === start)
          next = performance.now();
        this.#clockMs = Math.min(this.#clockMs, next - start);
      }
    }
    return this.#clockMs > COARSE_MS ? STEPS * this.#clockMs : 0;
  }
}

/* Copy the outputs of a call from the memory of the module to the tensors. */
function fill(tensors, program, placed) {
  for (let at = program.manifest.inputs.length; at < tensors.length; at++)
    tensors[at].data.set(program.bytes(placed, at));
}

/* Return what a function makes; throws HostError if no memory is left. */
function withMemory(make) {
  try {
    return make();
  } catch (error) {
    if (error instanceof RangeError)
      throw new HostError("MemoryError", "no memory is left in this process");
    throw error;
  }
}

function allocated(size) {
  return withMemory(() => new Uint8Array(size));
}

function checkChunk(size) {
  if (size > MAX_CHUNK_BYTES)
    throw new HostError("ValueError", `a message asks for ${size} bytes, more than ${MAX_CHUNK_BYTES}`);
}

/* Return the DLPack dtype and the bytes of an element of a dtype. */
function dtypeOf(name) {
  const [code, bits] = DTYPES[name];
  return { code: code | bits << 8 | 1 << 16, width: Math.ceil(bits / 8) };
}

function refused(name, reason) {
  return new HostError("RuntimeError", `${name}: ${reason}`);
}

/* Check that a module ends with the digest of the bytes before it. */
async function checkDigest(name, code) {
  const size = code.length - DIGEST_TAIL.length - DIGEST_BYTES;
  const isThere = size > 0 && DIGEST_TAIL.every((byte, at) => code[size + at] === byte);
  if (!isThere)
    throw refused(name, "no WebAssembly module of export_library");
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", code.slice(0, size)));
  if (digest.some((byte, at) => code[size + DIGEST_TAIL.length + at] !== byte))
    throw refused(name, "a module that differs from its digest");
}

async function compiled(name, code) {
  let module;
  try {
    module = await WebAssembly.compile(code);
  } catch (error) {
    throw refused(name, `this engine refuses the module: ${error.message}\n`
      + "    hint: compile for a target with features that the session's facts name");
  }
  if (WebAssembly.Module.imports(module).length > 0)
    throw refused(name, "a module with imports");
  return module;
}

async function loaded(name, code) {
  const module = await compiled(name, code);
  try {
    return await instantiated(module, name);
  } catch (error) {
    if (error instanceof RangeError)
      throw new HostError("MemoryError", `${name}: its memory is too large: ${error.message}`);
    throw error;
  }
}
