import type uPlot from "uplot";
import type { Series } from "../results/protocol";
import { okabeIto } from "../scene/colours";
import { axis, Card, withUnit, type Table } from "./card";

/** Curves of the same unit over time, or areas one on the other. */
export class TimeCard extends Card {
  override readonly height = 190;
  private readonly now = document.createElement("div");
  private time = 0;

  constructor(
    readonly series: Series[],
    private readonly times: Float64Array,
    private readonly stacked: boolean,
    private readonly onSeek: (time: number) => void,
    onClose: (card: Card) => void,
    private readonly title = "",
  ) {
    super(title, onClose);
    this.now.className = "now";
    this.build();
  }

  get unit(): string {
    return this.series[0]!.column.unit;
  }
  get isStacked(): boolean {
    return this.stacked;
  }

  /** Shows the curve as well, or no more if it is there. */
  toggle(series: Series): void {
    const at = this.series.findIndex(({ column }) => column.id === series.column.id);
    if (at < 0) this.series.push(series);
    else this.series.splice(at, 1);
    if (this.series.length > 0) this.build();
  }

  override build(): void {
    this.rename(this.title || this.series.map(({ column }) => column.id).join(", "));
    const values = this.stacked ? stack(this.series) : this.series.map((s) => Array.from(s.values));
    const curves: uPlot.Series[] = this.series.map(({ column }, i) => {
      const colour = okabeIto[i % okabeIto.length]!;
      return { label: withUnit(column.id, column.unit), stroke: colour, width: this.stacked ? 1 : 1.5, fill: this.stacked ? `${colour}99` : undefined, points: { show: false } };
    });
    // Areas are drawn from the top of the pile down, so that each covers what is below it.
    const order = this.stacked ? curves.map((_, i) => curves.length - 1 - i) : curves.map((_, i) => i);
    this.replace(
      {
        scales: { x: { time: false } },
        axes: [axis("time [s]"), { ...axis(withUnit("", this.unit)), size: 58 }],
        series: [{ label: "time [s]" }, ...order.map((i) => curves[i]!)],
        bands: this.stacked ? order.slice(1).map((_, i) => ({ series: [i + 1, i + 2] as [number, number] })) : [],
        cursor: { drag: { x: true, y: false } },
      },
      [this.timesOf(), ...order.map((i) => values[i]!)] as uPlot.AlignedData,
    );
    this.plot!.over.append(this.now);
    this.plot!.over.addEventListener("click", (event) => this.onSeek(this.plot!.posToVal(event.offsetX, "x")));
    this.showTime(this.time);
  }

  override showTime(time: number): void {
    this.time = time;
    const x = this.plot!.valToPos(time, "x");
    this.now.style.display = x >= 0 && x <= this.plot!.over.clientWidth ? "block" : "none";
    this.now.style.left = `${x}px`;
  }

  override table(): Table {
    return {
      names: ["time", ...this.series.map(({ column }) => column.id)],
      units: ["s", ...this.series.map(({ column }) => column.unit)],
      columns: [this.timesOf(), ...this.series.map(({ values }) => values)],
    };
  }

  private timesOf(): number[] {
    const stride = this.series[0]!.stride;
    return Array.from(this.series[0]!.values, (_, i) => this.times[i * stride]!);
  }
}

function stack(series: Series[]): number[][] {
  const sums: number[][] = [];
  for (const [i, { values }] of series.entries()) sums.push(Array.from(values, (value, k) => value + (i > 0 ? sums[i - 1]![k]! : 0)));
  return sums;
}
