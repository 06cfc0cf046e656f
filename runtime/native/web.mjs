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

/* An error of a model: an argument that does not fit, or a failure of a run. */
export class TilewrightError extends Error {
  constructor(message) {
    super(message);
    this.name = "TilewrightError";
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
  const module = await compiled(await source);
  const [section] = WebAssembly.Module.customSections(module, SECTION);
  if (section === undefined)
    throw new TilewrightError(`${FILE}: no section ${SECTION}: another program wrote the module`);
  const manifest = JSON.parse(new TextDecoder().decode(section));
  return new Model(await WebAssembly.instantiate(module), manifest);
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

class Model {
  #functions;
  #manifest;
  #area = { start: 0, bytes: 0 };

  constructor(instance, manifest) {
    this.#functions = instance.exports;
    this.#manifest = manifest;
    const facts = ({ name, dtype, shape }) => ({ name, dtype, shape, array: DTYPES[dtype][0] });
    this.name = manifest.name;
    this.inputs = manifest.inputs.map(facts);
    this.outputs = manifest.outputs.map(facts);
  }

  /* Run the model: arrays by name of the inputs to arrays by name of the outputs. */
  run(inputs) {
    const given = this.#given(inputs), { outputs, sizes } = this.#manifest;
    const made = this.#made(given);
    const counts = { name: "sizes", dtype: "int64", shape: [sizes] };
    const results = this.#call("__tvm_ffi_main", given, sizes > 0 ? [...made, counts] : made);
    const actual = sizes > 0 ? results.pop() : [];
    return Object.fromEntries(results.map((array, index) => {
      const { name, entries } = outputs[index];
      const shape = made[index].shape.map(
        (size, axis) => (entries[axis] >= 0 ? Number(actual[entries[axis]]) : size));
      return [name, tensor(array.subarray(0, elements(shape)), shape)];
    }));
  }

  /* Return the inputs in order, with their sizes. */
  #given(inputs) {
    const specs = this.#manifest.inputs, names = specs.map((spec) => spec.name);
    for (const name of Object.keys(inputs))
      if (!names.includes(name))
        throw this.#error(`unknown input ${name}`, names.join(", "), name);
    return specs.map((spec) => {
      const [kind] = DTYPES[spec.dtype], data = inputs[spec.name];
      if (!(data instanceof kind))
        throw this.#error(`input ${spec.name} has the wrong type`, kind.name, typeName(data));
      const shape = data.shape ?? this.#inferred(spec, data.length);
      if (elements(shape) !== data.length)
        throw this.#error(`input ${spec.name} has the wrong number of elements`,
          `${elements(shape)} for the shape [${shape}]`, data.length);
      return { ...spec, shape, data };
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

  /* Return the outputs of a call, with the sizes that their arrays need. */
  #made(given) {
    const { outputs } = this.#manifest;
    if (outputs.every(({ shape }) => shape.every((size) => typeof size === "number"))
      && !outputs.some((spec) => spec.unbounded))
      return outputs;
    const count = outputs.reduce((sum, { shape }) => sum + shape.length, 0);
    const wanted = { name: "shapes", dtype: "int64", shape: [count] };
    const [found] = this.#call("__tw_output_shapes", given, [wanted]);
    let at = 0;
    return outputs.map((spec) => ({ ...spec, shape: spec.shape.map(() => Number(found[at++])) }));
  }

  /* Call a function of the module with arrays; return copies of those that it fills. */
  #call(symbol, given, made) {
    const all = [...given, ...made];
    let at = (VALUE_BYTES + TENSOR_BYTES) * all.length + 8 * ALIGNMENT;
    const places = all.map(({ dtype, shape }) => {
      const shapeAt = at;
      at = aligned(at + 8 * shape.length);
      const dataAt = at;
      at = aligned(at + elements(shape) * DTYPES[dtype][2]);
      return { shapeAt, dataAt };
    });
    const start = this.#room(at), tensors = aligned(VALUE_BYTES * all.length, 8);
    const view = new DataView(this.#functions.memory.buffer);
    all.forEach(({ dtype, shape, data }, index) => {
      const { shapeAt, dataAt } = places[index], [kind, code] = DTYPES[dtype];
      const value = start + VALUE_BYTES * index, tensor = start + tensors + TENSOR_BYTES * index;
      view.setInt32(value, TENSOR_PTR, true);
      view.setInt32(value + 8, tensor, true);
      [start + dataAt, CPU, 0, shape.length, code, start + shapeAt, 0, 0, 0, 0]
        .forEach((word, number) => view.setInt32(tensor + 4 * number, word, true));
      shape.forEach((size, axis) => view.setBigInt64(start + shapeAt + 8 * axis, BigInt(size), true));
      if (data !== undefined)
        new kind(view.buffer, start + dataAt, data.length).set(data);
    });
    if (this.#functions[symbol](0, start, all.length, 0) !== 0)
      throw new TilewrightError(this.#lastError());
    // The call may have replaced the buffer, by growing the memory.
    const { buffer } = this.#functions.memory;
    return made.map(({ dtype, shape }, index) => {
      const from = start + places[given.length + index].dataAt;
      return new DTYPES[dtype][0](buffer, from, elements(shape)).slice();
    });
  }

  /* Return the address of memory for the arrays of a call; the next call uses it again. */
  #room(bytes) {
    if (bytes > this.#area.bytes) {
      const { tw_allocate_memory: allocate, tw_free_memory: free } = this.#functions;
      free(this.#area.start);
      this.#area = { start: 0, bytes: 0 };
      const start = bytes < 2 ** 32 ? allocate(bytes) >>> 0 : 0;
      if (start === 0)
        throw this.#error("no memory for the arrays of a call", `${bytes} bytes`, "none");
      this.#area = { start, bytes };
    }
    return this.#area.start;
  }

  #lastError() {
    const at = this.#functions.__tw_last_error.value;
    const bytes = new Uint8Array(this.#functions.memory.buffer, at, 1024);
    return new TextDecoder().decode(bytes.subarray(0, bytes.indexOf(0)));
  }

  #error(rule, expected, got) {
    return new TilewrightError(`${this.name}: ${rule}\n    expected: ${expected}\n    got: ${got}`);
  }
}

function elements(shape) {
  return shape.reduce((product, size) => product * size, 1);
}

function aligned(bytes, alignment = ALIGNMENT) {
  return Math.ceil(bytes / alignment) * alignment;
}

function typeName(value) {
  return value === null || value === undefined ? "nothing" : value.constructor.name;
}
