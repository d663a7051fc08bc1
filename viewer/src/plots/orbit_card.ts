import uPlot from "uplot";
import type { Series } from "../results/protocol";
import { okabeIto } from "../scene/colours";
import { axis, Card, withUnit, type Table } from "./card";

/** One quantity against another, with a dot at the present. */
export class OrbitCard extends Card {
  override readonly height = 300;
  private readonly dot = document.createElement("div");
  private time = 0;

  constructor(
    private readonly x: Series,
    private readonly y: Series,
    private readonly times: Float64Array,
    onClose: (card: Card) => void,
  ) {
    super(`${y.column.id} against ${x.column.id}`, onClose);
    this.dot.className = "dot";
    this.build();
  }

  override build(): void {
    // uPlot wants x to grow; in its mode for scattered points a path of our own joins them in their order.
    const paths: uPlot.Series.PathBuilder = (plot, index) => {
      uPlot.orient(plot, index, (_s, xs, ys, scaleX, scaleY, toX, toY, left, top, width, height, moveTo, lineTo) => {
        const path = new Path2D();
        const [dataX, dataY] = [xs as number[], ys as number[]];
        for (let i = 0; i < dataX.length; ++i) {
          const [px, py] = [toX(dataX[i]!, scaleX, width, left), toY(dataY[i]!, scaleY, height, top)];
          (i === 0 ? moveTo : lineTo)(path, px, py);
        }
        plot.ctx.save();
        plot.ctx.beginPath();
        plot.ctx.rect(left, top, width, height);
        plot.ctx.clip();
        plot.ctx.strokeStyle = okabeIto[0];
        plot.ctx.lineWidth = 1.2 * devicePixelRatio;
        plot.ctx.stroke(path);
        plot.ctx.restore();
      });
      return null;
    };
    const data = [Array.from(this.x.values), Array.from(this.y.values)];
    this.replace(
      {
        mode: 2,
        scales: { x: { time: false, range: (_, low, high) => padded(low, high) }, y: { range: (_, low, high) => padded(low, high) } },
        axes: [axis(withUnit(this.x.column.id, this.x.column.unit)), { ...axis(withUnit(this.y.column.id, this.y.column.unit)), size: 58 }],
        series: [{}, { label: this.y.column.id, facets: [{ scale: "x", auto: true }, { scale: "y", auto: true }], paths }],
        legend: { show: false },
        cursor: { show: false },
      },
      [null, data] as unknown as uPlot.AlignedData,
    );
    this.plot!.over.append(this.dot);
    this.showTime(this.time);
  }

  override showTime(time: number): void {
    this.time = time;
    let at = 0;
    while (at + 1 < this.x.values.length && this.times[(at + 1) * this.x.stride]! <= time) ++at;
    this.dot.style.left = `${this.plot!.valToPos(this.x.values[at]!, "x")}px`;
    this.dot.style.top = `${this.plot!.valToPos(this.y.values[at]!, "y")}px`;
  }

  override table(): Table {
    const { x, y } = this;
    return {
      names: ["time", x.column.id, y.column.id],
      units: ["s", x.column.unit, y.column.unit],
      columns: [Array.from(x.values, (_, i) => this.times[i * x.stride]!), x.values, y.values],
    };
  }
}

function padded(low: number, high: number): [number, number] {
  const room = 0.05 * (high - low) || Math.abs(high) || 1;
  return [low - room, high + room];
}
