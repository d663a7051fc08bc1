import ResultsWorker from "./worker?worker&inline";
import type { Answer, Column, FileSource, Frame, FrameWish, ResultsService, RunInfo, Series } from "./protocol";

const maxCachedBytes = 96e6;

/** A results file, read by a worker. Frames that were shown last, and the next ones, are kept. */
export class Results {
  private readonly worker = new ResultsWorker();
  private readonly waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  private readonly frames = new Map<string, Promise<Frame>>();
  private readonly sizes = new Map<string, number>();
  private cachedBytes = 0;
  private nextId = 0;

  private constructor() {
    this.worker.onmessage = ({ data }: MessageEvent<Answer>) => {
      const caller = this.waiting.get(data.id);
      this.waiting.delete(data.id);
      if ("error" in data) caller?.reject(new Error(data.error));
      else caller?.resolve(data.result);
    };
    this.worker.onerror = (event) => {
      for (const caller of this.waiting.values()) caller.reject(new Error(event.message));
      this.waiting.clear();
    };
  }

  static async open(source: FileSource): Promise<{ results: Results; info: RunInfo }> {
    const results = new Results();
    try {
      return { results, info: await results.call("open", source) };
    } catch (error) {
      results.close();
      throw error;
    }
  }

  close(): void {
    this.worker.terminate();
  }

  frame(index: number, wish: FrameWish): Promise<Frame> {
    const key = `${index} ${wish.colouring} ${wish.contacts}`;
    let frame = this.frames.get(key);
    if (frame) return frame;
    frame = this.call("frame", index, wish);
    this.frames.set(key, frame);
    frame.then(
      (loaded) => this.remember(key, loaded),
      () => this.frames.delete(key),
    );
    return frame;
  }

  search(text: string, limit: number): Promise<Column[]> {
    return this.call("search", text, limit);
  }
  series(id: string): Promise<Series> {
    return this.call("series", id);
  }
  trace(body: string): Promise<Float32Array> {
    return this.call("trace", body);
  }
  findBodies(text: string, limit: number): Promise<string[]> {
    return this.call("findBodies", text, limit);
  }

  private remember(key: string, frame: Frame): void {
    const bytes =
      frame.instances.reduce((sum, matrices) => sum + matrices.byteLength, 0) +
      frame.flexibles.reduce((sum, body) => sum + body.places.byteLength + body.values.byteLength, 0) +
      (frame.contacts?.count ?? 0) * 50;
    this.sizes.set(key, bytes);
    this.cachedBytes += bytes;
    for (const [old, size] of this.sizes) {
      if (this.cachedBytes <= maxCachedBytes || old === key) break;
      this.cachedBytes -= size;
      this.sizes.delete(old);
      this.frames.delete(old);
    }
  }

  private call<M extends keyof ResultsService>(
    method: M,
    ...args: Parameters<ResultsService[M]>
  ): Promise<ReturnType<ResultsService[M]>> {
    const id = this.nextId++;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve: resolve as (value: unknown) => void, reject });
      this.worker.postMessage({ id, method, args });
    });
  }
}
