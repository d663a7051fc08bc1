// A file that HDF5 reads in the worker without ever being in memory as a whole.

/** Bytes of a file, at once: a worker may wait. */
export interface ByteSource {
  readonly size: number;
  read(begin: number, end: number): Uint8Array;
}

export class DroppedFile implements ByteSource {
  private readonly reader = new FileReaderSync();
  constructor(private readonly file: File) {}
  get size(): number {
    return this.file.size;
  }
  read(begin: number, end: number): Uint8Array {
    return new Uint8Array(this.reader.readAsArrayBuffer(this.file.slice(begin, end)));
  }
}

/** A file on a server that knows range requests. */
export class ServedFile implements ByteSource {
  readonly size: number;
  constructor(private readonly url: string) {
    const request = this.send("HEAD");
    if (request.status !== 200) throw new Error(`the server answers ${request.status} ${request.statusText}`);
    this.size = Number(request.getResponseHeader("Content-Length"));
  }
  read(begin: number, end: number): Uint8Array {
    const request = this.send("GET", `bytes=${begin}-${end - 1}`);
    if (request.status !== 206) throw new Error(`the server answers ${request.status} ${request.statusText}`);
    return new Uint8Array(request.response as ArrayBuffer);
  }
  private send(method: string, range?: string): XMLHttpRequest {
    const request = new XMLHttpRequest();
    request.open(method, this.url, false);
    request.responseType = "arraybuffer";
    if (range) request.setRequestHeader("Range", range);
    try {
      request.send();
    } catch {
      throw new Error("the server does not answer any more; start `percuss view` again");
    }
    return request;
  }
}

const blockSize = 1 << 18;
const maxBlocks = 256; // 64 MB

/** Keeps the blocks that were used last. */
export class BlockCache {
  private readonly blocks = new Map<number, Uint8Array>();
  constructor(private readonly source: ByteSource) {}

  get size(): number {
    return this.source.size;
  }

  /** Copies bytes into `target`; returns how many there were before the end of the file. */
  read(position: number, target: Uint8Array): number {
    const end = Math.min(position + target.length, this.size);
    if (end <= position) return 0;
    const last = Math.floor((end - 1) / blockSize);
    for (let b = Math.floor(position / blockSize); b <= last; ++b) {
      const block = this.block(b, last);
      const begin = b * blockSize;
      const from = Math.max(position, begin);
      const to = Math.min(end, begin + block.length);
      target.set(block.subarray(from - begin, to - begin), from - position);
    }
    return end - position;
  }

  /** Block b; if it is missing, those up to `last` that are missing too come with the same request. */
  private block(b: number, last: number): Uint8Array {
    const known = this.blocks.get(b);
    if (known) {
      this.blocks.delete(b); // moves to the end of the map: used last
      this.blocks.set(b, known);
      return known;
    }
    let end = b + 1;
    while (end <= last && end - b < maxBlocks / 2 && !this.blocks.has(end)) ++end;
    const bytes = this.source.read(b * blockSize, Math.min(end * blockSize, this.size));
    for (let i = b; i < end; ++i)
      this.blocks.set(i, bytes.slice((i - b) * blockSize, Math.min((i - b + 1) * blockSize, bytes.length)));
    for (const old of this.blocks.keys()) {
      if (this.blocks.size <= maxBlocks || old === b) break;
      this.blocks.delete(old);
    }
    return this.blocks.get(b)!;
  }
}

/** The parts of Emscripten's file system that are needed to add a file whose bytes come from elsewhere. */
interface FileNode {
  stream_ops: Record<string, unknown>;
}
interface FileSystem {
  createFile(parent: string, name: string, properties: object, canRead: boolean, canWrite: boolean): FileNode;
  unlink(path: string): void;
  analyzePath(path: string): { exists: boolean };
}

/** Makes `/name`, read only. */
export function mount(fileSystem: unknown, name: string, cache: BlockCache): void {
  const fs = fileSystem as FileSystem;
  if (fs.analyzePath(`/${name}`).exists) fs.unlink(`/${name}`);
  const node = fs.createFile("/", name, {}, true, false);
  Object.defineProperty(node, "usedBytes", { get: () => cache.size });
  node.stream_ops = {
    ...node.stream_ops,
    read: (_stream: unknown, heap: Int8Array, offset: number, length: number, position: number) =>
      cache.read(position, new Uint8Array(heap.buffer, heap.byteOffset + offset, length)),
  };
}
