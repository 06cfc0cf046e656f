/* A model that Tilewright compiled to WebAssembly, for browsers and node. The exporter replaces the
 * constants FILE, FEATURES and DTYPES.
 *
 *     import { load } from "./model.mjs";
 *     const model = await load();
 *     const { y } = model.run({ x: new Float32Array(6) });
 *
 * Inputs and outputs are typed arrays, row by row; an output has its sizes in `shape`. An input whose
 * sizes differ from call to call has them in `shape`, too: `tensor(new Float32Array(6), [2, 3])`.
 * A run takes place on the calling thread: the module has no threads. */

const FILE = "model.wasm";
const FEATURES = ["simd128"];
const SECTION = "tilewright";

/* The array class, the DLPack dtype and the bytes of an element of each dtype. The elements of types
 * that JavaScript lacks, such as float16, are their bits. */
const DTYPES = {};

/* Modules with one instruction of a feature, with which an engine says whether it has the feature. */
const PROBES = {
  simd128: [65, 0, 253, 15, 253, 98],
  "relaxed-simd": [65, 1, 253, 15, 65, 2, 253, 15, 253, 128, 2],
};

/* packed.h: the sizes of struct tw_value and struct tw_tensor, and the kind of a tensor's address. */
const VALUE_BYTES = 16, TENSOR_BYTES = 40, TENSOR_PTR = 7, CPU = 1;
const ALIGNMENT = 64;
/* The DLPack dtype of sizes. */
const INT64 = 64 << 8 | 1 << 16;

/* An error of a model: an argument that does not fit, or a failure of a run. `kind` is that of the
 * error in Python, such as IndexError. */
export class TilewrightError extends Error {
  constructor(message, kind = "ValueError") {
    super(message);
    this.name = "TilewrightError";
    this.kind = kind;
  }
}

/* Return an array with the sizes of its dimensions. */
export function tensor(data, shape) {
  return Object.assign(data, { shape: [...shape] });
}

/* Return whether this engine has a feature, such as "relaxed-simd". */
export function supports(feature) {
  const code = PROBES[feature];
  if (code === undefined)
    return false;
  const body = [0, ...code, 11], section = [1, body.length, ...body];
  const start = [0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0];
  return WebAssembly.validate(new Uint8Array([...start, 10, section.length, ...section]));
}

/* Load the model. `source` is the WebAssembly module as a URL, bytes, a response or a compiled module;
 * by default it is the file next to this one. */
export async function load(source = new URL(FILE, import.meta.url)) {
  const missing = FEATURES.filter((feature) => !supports(feature));
  if (missing.length > 0)
    throw new TilewrightError(
      `${FILE}: this engine lacks ${missing.join(", ")}\n`
      + "    hint: compile the model for a target without the feature: -mattr=-relaxed-simd");
  return new Model(await instantiated(await compiled(await source), FILE));
}

/* Return the program of a compiled module. `name` is that of its file, for errors. */
export async function instantiated(module, name) {
  const [section] = WebAssembly.Module.customSections(module, SECTION);
  if (section === undefined)
    throw new TilewrightError(`${name}: no section ${SECTION}: another program wrote the module`);
  return new Program(await WebAssembly.instantiate(module), new TextDecoder().decode(section));
}

async function compiled(source) {
  if (source instanceof WebAssembly.Module)
    return source;
  if (typeof Response !== "undefined" && source instanceof Response)
    return WebAssembly.compile(await checked(source).arrayBuffer());
  if (source instanceof ArrayBuffer || ArrayBuffer.isView(source))
    return WebAssembly.compile(source);
  const url = new URL(source, import.meta.url);
  if (url.protocol !== "file:")
    return WebAssembly.compile(await checked(await fetch(url)).arrayBuffer());
  const { readFile } = await import("node:fs/promises");
  return WebAssembly.compile(await readFile(url));
}

function checked(response) {
  if (!response.ok)
    throw new TilewrightError(`${response.url}: ${response.status} ${response.statusText}`);
  return response;
}

/* A loaded WebAssembly module. A tensor of its calls has a DLPack dtype in 32 bits (`code`), a `shape`,
 * the number of its `bytes`, and `data` (Uint8Array), which a tensor to be filled lacks. A tensor
 * without `bytes` has no memory: only its shape is used. */
export class Program {
  #functions;
  #area = { start: 0, bytes: 0 };

  /* manifestText: the manifest of the module as JSON. */
  constructor(instance, manifestText) {
    this.#functions = instance.exports;
    this.manifestText = manifestText;
    this.manifest = JSON.parse(manifestText);
  }

  /* The size of the memory of the module. */
  get memoryBytes() {
    return this.#functions.memory.buffer.byteLength;
  }

  /* Copy tensors to the memory of the module, as the arguments of a call. Return the address of the
   * arguments, their number, and the places of the tensors, which the next `place` overwrites. */
  place(tensors) {
    let at = (VALUE_BYTES + TENSOR_BYTES) * tensors.length + 8 * ALIGNMENT;
    const places = tensors.map(({ shape, bytes }) => {
      const shapeAt = at;
      at = aligned(at + 8 * shape.length);
      const dataAt = bytes === undefined ? undefined : at;
      at = aligned(at + (bytes ?? 0));
      return { shapeAt, dataAt, bytes };
    });
    const start = this.#room(at), first = aligned(VALUE_BYTES * tensors.length, 8);
    const { buffer } = this.#functions.memory, view = new DataView(buffer);
    tensors.forEach(({ code, shape, data }, index) => {
      const { shapeAt, dataAt } = places[index];
      const value = start + VALUE_BYTES * index, tensor = start + first + TENSOR_BYTES * index;
      view.setInt32(value, TENSOR_PTR, true);
      view.setInt32(value + 8, tensor, true);
      const address = dataAt === undefined ? 0 : start + dataAt;
      [address, CPU, 0, shape.length, code, start + shapeAt, 0, 0, 0, 0]
        .forEach((word, number) => view.setInt32(tensor + 4 * number, word, true));
      shape.forEach((size, axis) => view.setBigInt64(start + shapeAt + 8 * axis, BigInt(size), true));
      if (data !== undefined)
        new Uint8Array(buffer, address, data.length).set(data);
    });
    return { start, count: tensors.length, places };
  }

  /* Call a function of the module with tensors in its memory, some times in a row. */
  call(symbol, { start, count }, times = 1) {
    const called = this.#functions[symbol];
    for (let time = 0; time < times; time++)
      if (called(0, start, count, 0) !== 0)
        throw new TilewrightError(this.#text("__tw_last_error"), this.#text("tw_error_kind"));
  }

  /* Return the bytes of a tensor in the memory of the module, not a copy. A call may replace the
   * buffer of the memory, by growing it. */
  bytes({ start, places }, index) {
    const { dataAt, bytes } = places[index];
    return new Uint8Array(this.#functions.memory.buffer, start + dataAt, bytes);
  }

  /* Return the shapes of the arrays that the outputs need for these inputs. */
  outputShapes(inputs) {
    const { outputs, sizes } = this.manifest;
    if (outputs.every(({ shape }) => shape.every((size) => typeof size === "number"))
      && !outputs.some((spec) => spec.unbounded))
      return outputs.map(({ shape }) => shape);
    // The array of computed sizes is an argument, too, with a shape of one size.
    const count = outputs.reduce((sum, { shape }) => sum + shape.length, sizes > 0 ? 1 : 0);
    const placed = this.place([...inputs, { code: INT64, shape: [count], bytes: 8 * count }]);
    this.call("__tw_output_shapes", placed);
    const found = this.#sizes(placed, inputs.length);
    let at = 0;
    return outputs.map(({ shape }) => shape.map(() => found[at++]));
  }

  /* Run the model, whose outputs have these dtypes. Return for each output its shape, and a copy of
   * its bytes. */
  run(inputs, dtypes) {
    const { outputs, sizes } = this.manifest;
    const made = this.outputShapes(inputs).map((shape, index) => {
      const { code, width } = dtypes[index];
      if (shape.some((size) => size < 0))
        throw new TilewrightError(`${this.manifest.name}: the inputs are too small: `
          + `${outputs[index].name} would have a negative size\n    got: [${shape}]`);
      return { code, width, shape, bytes: elements(shape) * width };
    });
    const counts = { code: INT64, shape: [sizes], bytes: 8 * sizes };
    const placed = this.place([...inputs, ...made, ...(sizes > 0 ? [counts] : [])]);
    this.call("__tvm_ffi_main", placed);
    const actual = sizes > 0 ? this.#sizes(placed, inputs.length + made.length) : [];
    return made.map(({ width, shape: room }, index) => {
      const { entries } = outputs[index];
      const shape = room.map((size, axis) => (entries[axis] >= 0 ? actual[entries[axis]] : size));
      const whole = this.bytes(placed, inputs.length + index);
      return { shape, data: whole.slice(0, elements(shape) * width) };
    });
  }

  #sizes(placed, index) {
    const { buffer, byteOffset, length } = this.bytes(placed, index);
    return Array.from(new BigInt64Array(buffer, byteOffset, length / 8), Number);
  }

  /* Return the address of memory for the arrays of a call; the next call uses it again. */
  #room(bytes) {
    if (bytes > this.#area.bytes) {
      const { tw_allocate_memory: allocate, tw_free_memory: free } = this.#functions;
      free(this.#area.start);
      this.#area = { start: 0, bytes: 0 };
      const start = bytes < 2 ** 32 ? allocate(bytes) >>> 0 : 0;
      if (start === 0)
        throw new TilewrightError(`${this.manifest.name}: no memory for the arrays of a call\n`
          + `    expected: ${bytes} bytes\n    got: none`, "MemoryError");
      this.#area = { start, bytes };
    }
    return this.#area.start;
  }

  /* Return the text in a variable of the module. */
  #text(name) {
    const bytes = new Uint8Array(this.#functions.memory.buffer, this.#functions[name].value, 1024);
    return new TextDecoder().decode(bytes.subarray(0, bytes.indexOf(0)));
  }
}

/* A model: a program whose arrays are typed arrays, by name. */
class Model {
  #program;
  #manifest;

  constructor(program) {
    this.#program = program;
    this.#manifest = program.manifest;
    const facts = ({ name, dtype, shape }) => ({ name, dtype, shape, array: DTYPES[dtype][0] });
    this.name = this.#manifest.name;
    this.inputs = this.#manifest.inputs.map(facts);
    this.outputs = this.#manifest.outputs.map(facts);
  }

  /* Run the model: arrays by name of the inputs to arrays by name of the outputs. */
  run(inputs) {
    const { outputs } = this.#manifest;
    const dtypes = outputs.map(({ dtype }) => ({ code: DTYPES[dtype][1], width: DTYPES[dtype][2] }));
    const results = this.#program.run(this.#given(inputs), dtypes);
    return Object.fromEntries(results.map(({ shape, data }, index) => {
      const { name, dtype } = outputs[index], [kind] = DTYPES[dtype];
      return [name, tensor(new kind(data.buffer), shape)];
    }));
  }

  /* Return the inputs in order, as tensors. */
  #given(inputs) {
    const specs = this.#manifest.inputs, names = specs.map((spec) => spec.name);
    for (const name of Object.keys(inputs))
      if (!names.includes(name))
        throw this.#error(`unknown input ${name}`, names.join(", "), name);
    return specs.map((spec) => {
      const [kind, code] = DTYPES[spec.dtype], array = inputs[spec.name];
      if (!(array instanceof kind))
        throw this.#error(`input ${spec.name} has the wrong type`, kind.name, typeName(array));
      const shape = array.shape ?? this.#inferred(spec, array.length);
      if (elements(shape) !== array.length)
        throw this.#error(`input ${spec.name} has the wrong number of elements`,
          `${elements(shape)} for the shape [${shape}]`, array.length);
      const data = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
      return { code, shape, data, bytes: data.length };
    });
  }

  /* Return the shape of an input without one: at most one size may differ from call to call. */
  #inferred(spec, length) {
    const known = spec.shape.filter((size) => typeof size === "number");
    const rest = elements(known) === 0 ? 0 : length / elements(known);
    if (known.length + 1 < spec.shape.length || (known.length < spec.shape.length && rest % 1 !== 0))
      throw this.#error(`the shape of input ${spec.name} does not follow from its length`,
        `[${spec.shape.join(", ")}]`, `${length} elements\n    hint: tensor(data, shape)`);
    return spec.shape.map((size) => (typeof size === "number" ? size : rest));
  }

  #error(rule, expected, got) {
    return new TilewrightError(`${this.name}: ${rule}\n    expected: ${expected}\n    got: ${got}`);
  }
}

/* Return the number of elements of an array of some sizes. */
export function elements(shape) {
  return shape.reduce((product, size) => product * size, 1);
}

function aligned(bytes, alignment = ALIGNMENT) {
  return Math.ceil(bytes / alignment) * alignment;
}

function typeName(value) {
  return value === null || value === undefined ? "nothing" : value.constructor.name;
}
