// Which frame is shown when. Time runs as in the simulation, faster or slower by a factor.

export const speeds = [1e-6, 2e-6, 5e-6, 1e-5, 2e-5, 5e-5, 1e-4, 2e-4, 5e-4, 1e-3, 2e-3, 5e-3, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 1000, 10000];
const comfortable = 10; // s that a run should take

/** The speed at which the run takes about ten seconds; as it was if that is between 3 and 30. */
export function naturalSpeed(duration: number): number {
  if (!(duration > 0) || (duration >= 3 && duration <= 30)) return 1;
  const wanted = Math.log(duration / comfortable);
  return speeds.reduce((best, s) => (Math.abs(Math.log(s) - wanted) < Math.abs(Math.log(best) - wanted) ? s : best));
}

export class Player {
  private time: number;
  private last = 0;
  isPlaying = false;
  loops = true;
  speed: number;

  constructor(private readonly times: Float64Array) {
    this.time = times[0]!;
    this.speed = naturalSpeed(this.times[this.times.length - 1]! - this.time);
  }

  get frame(): number {
    return this.frameAt(this.time);
  }
  get frameCount(): number {
    return this.times.length;
  }

  /** The last frame that is not later. */
  frameAt(time: number): number {
    let [low, high] = [0, this.times.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (this.times[middle]! <= time) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  seek(frame: number): void {
    this.time = this.times[Math.min(Math.max(frame, 0), this.times.length - 1)]!;
  }
  seekTime(time: number): void {
    this.time = Math.min(Math.max(time, this.times[0]!), this.times[this.times.length - 1]!);
  }
  step(frames: number): void {
    this.isPlaying = false;
    this.seek(this.frame + frames);
  }

  toggle(): void {
    this.isPlaying = !this.isPlaying;
    this.last = 0;
    if (this.isPlaying && this.frame === this.times.length - 1) this.seek(0);
  }

  /** Advances to the moment `now` [ms] of the clock. */
  tick(now: number): void {
    if (!this.isPlaying) return;
    if (this.last > 0) this.time += (this.speed * Math.min(now - this.last, 250)) / 1000;
    this.last = now;
    if (this.time <= this.times[this.times.length - 1]!) return;
    this.seek(this.loops ? 0 : this.times.length - 1);
    this.isPlaying = this.loops;
  }

  /** Frames that will be asked for soon, for a picture every `interval` ms. */
  ahead(count: number, interval: number): number[] {
    const frames: number[] = [];
    for (let i = 1; i <= count; ++i) {
      const frame = this.frameAt(this.time + (this.speed * interval * i) / 1000);
      if (frame !== this.frame && !frames.includes(frame)) frames.push(frame);
    }
    return frames;
  }
}
