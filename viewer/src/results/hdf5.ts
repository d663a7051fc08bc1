// The few things that are read from HDF5 files, with types.
import h5wasm, { type Dataset, type File as H5File } from "h5wasm";
import { BlockCache, mount, type ByteSource } from "./lazy_file";

type Numbers = Float64Array | Int32Array | BigInt64Array | Uint8Array;

const signature = [0x89, 0x48, 0x44, 0x46, 0x0d, 0x0a, 0x1a, 0x0a];
const superblockSize = 48; // of version 3, which percuss writes

/** What the first bytes of the file say. */
function readSuperblock(cache: BlockCache): { isOpen: boolean; end: number } {
  const bytes = new Uint8Array(superblockSize);
  const count = cache.read(0, bytes);
  if (count === 0) throw new Error("it is empty");
  if (signature.some((byte, i) => bytes[i] !== byte)) throw new Error("it is not an HDF5 file");
  if (bytes[8] !== 3) return { isOpen: false, end: 0 };
  // The mark of a file that is being written, or whose run was killed; and how long the file was when it was set.
  return { isOpen: bytes[11] !== 0, end: Number(new DataView(bytes.buffer).getBigUint64(28, true)) };
}

export class Hdf5 {
  private readonly datasets = new Map<string, Dataset>();

  private constructor(private readonly file: H5File) {}

  static async open(source: ByteSource): Promise<Hdf5> {
    const module = await h5wasm.ready;
    const cache = new BlockCache(source);
    const { isOpen, end } = readSuperblock(cache);
    if (cache.size < end) throw new Error(`it has ${cache.size} of ${end} bytes`);
    module.activate_throwing_error_handler(); // HDF5 would print its complaints to the console
    mount(module.FS, "results.h5", cache);
    // SWMR is for runs that go on or were killed; HDF5 then reads damaged parts a hundred times before it gives up.
    const file = new h5wasm.File("/results.h5", isOpen ? "Sr" : "r");
    if (file.file_id < 0n) throw new Error("it is damaged or cut off");
    return new Hdf5(file);
  }

  close(): void {
    this.file.close();
  }

  attribute(name: string): string | number | null {
    const found = this.file.attrs[name];
    if (!found) return null;
    const value = found.value;
    return typeof value === "bigint" ? Number(value) : typeof value === "string" ? trim(value) : (value as number);
  }

  has(path: string): boolean {
    const cut = path.lastIndexOf("/");
    const parent = cut === 0 ? this.file : this.file.get(path.slice(0, cut));
    return parent !== null && "keys" in parent && parent.keys().includes(path.slice(cut + 1));
  }

  members(group: string): string[] {
    const found = this.file.get(group);
    return found && "keys" in found ? found.keys() : [];
  }

  shape(path: string): number[] {
    return this.dataset(path).shape ?? [];
  }

  strings(path: string): string[] {
    return this.shape(path)[0] === 0 ? [] : (this.dataset(path).value as string[]).map(trim);
  }

  text(path: string): string {
    return trim(new TextDecoder().decode(Uint8Array.from(this.all(path))));
  }

  all(path: string): Float64Array {
    return numbers(this.dataset(path).value, this.shape(path));
  }

  /** Rows begin, begin + stride, ... before end. */
  rows(path: string, begin: number, end: number, stride = 1): Float64Array {
    const rest = this.shape(path).slice(1);
    if (end <= begin || rest.includes(0)) return new Float64Array(0);
    const ranges = [[begin, end, stride] as [number, number, number], ...rest.map(() => [] as [])];
    return numbers(this.dataset(path).slice(ranges), null);
  }

  /** One column of a matrix. */
  column(path: string, index: number, end: number, stride = 1): Float64Array {
    if (end === 0) return new Float64Array(0);
    return numbers(this.dataset(path).slice([[0, end, stride], [index, index + 1]]), null);
  }

  /** One node of all its rows: a dataset of frames x nodes x 3. */
  nodeRows(path: string, node: number, end: number, stride: number): Float64Array {
    return numbers(this.dataset(path).slice([[0, end, stride], [node, node + 1], []]), null);
  }

  private dataset(path: string): Dataset {
    let found = this.datasets.get(path);
    if (!found) {
      found = this.file.get(path) as Dataset;
      if (!found || !("slice" in found)) throw new Error(`it has no ${path}`);
      this.datasets.set(path, found);
    }
    return found;
  }
}

/** Strings have a fixed length and are padded with zeros. */
function trim(text: string): string {
  const end = text.indexOf("\0");
  return end < 0 ? text : text.slice(0, end);
}

function numbers(value: unknown, shape: number[] | null): Float64Array {
  if (value instanceof Float64Array) return value;
  if (value === null || shape?.includes(0)) return new Float64Array(0);
  if (value instanceof BigInt64Array) return Float64Array.from(value, Number);
  return Float64Array.from(value as Exclude<Numbers, BigInt64Array>);
}
