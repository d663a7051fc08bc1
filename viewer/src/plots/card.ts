import uPlot from "uplot";
import { download } from "../ui/download";

/** A table as it is drawn: for CSV. */
export interface Table {
  names: string[];
  units: string[];
  columns: ArrayLike<number>[];
}

/** A plot with its buttons and, over it, the mark of the present. */
export abstract class Card {
  readonly element = document.createElement("div");
  protected readonly body = document.createElement("div");
  protected plot: uPlot | null = null;
  private readonly heading = document.createElement("b");
  abstract readonly height: number;

  /** `seek` is called with the time that was clicked. */
  constructor(title: string, onClose: (card: Card) => void) {
    this.element.className = "card";
    const bar = document.createElement("div");
    bar.className = "bar";
    bar.append(this.heading);
    this.rename(title);
    const button = (text: string, help: string, action: () => void) => {
      const made = document.createElement("button");
      made.textContent = text;
      made.title = help;
      made.onclick = action;
      bar.append(made);
    };
    button("PNG", "Save this plot as PNG", () => this.savePicture());
    button("CSV", "Save these numbers as CSV", () => this.saveTable());
    button("✕", "Close this plot", () => onClose(this));
    this.element.append(bar, this.body);
    new ResizeObserver(() => this.plot?.setSize({ width: this.body.clientWidth, height: this.height })).observe(this.body);
  }

  abstract table(): Table;
  abstract showTime(time: number): void;
  abstract build(): void;

  protected rename(title: string): void {
    this.heading.textContent = title;
    this.heading.title = title;
  }

  /** The plot is made again: after a change of data or of the theme. */
  protected replace(options: Omit<uPlot.Options, "width" | "height">, data: uPlot.AlignedData): void {
    this.plot?.destroy();
    this.plot = new uPlot({ ...options, width: this.body.clientWidth || 390, height: this.height }, data, this.body);
  }

  private savePicture(): void {
    const plot = this.plot;
    if (!plot) return;
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [plot.ctx.canvas.width, plot.ctx.canvas.height];
    const context = canvas.getContext("2d")!;
    context.fillStyle = colourOf("--panel");
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.drawImage(plot.ctx.canvas, 0, 0);
    canvas.toBlob((blob) => blob && download(blob, `${this.fileName()}.png`));
  }

  private saveTable(): void {
    const { names, units, columns } = this.table();
    const lines = [`# units: ${units.join(",")}`, names.map((name) => (name.includes(",") ? `"${name}"` : name)).join(",")];
    for (let i = 0; i < columns[0]!.length; ++i) lines.push(columns.map((column) => column[i]).join(","));
    download(new Blob([lines.join("\n") + "\n"], { type: "text/csv" }), `${this.fileName()}.csv`);
  }

  private fileName(): string {
    return this.heading.textContent!.replace(/[^\w.-]+/g, "_").slice(0, 60);
  }
}

export function colourOf(variable: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(variable).trim();
}

/** An axis in the colours of the page. */
export function axis(label: string): uPlot.Axis {
  const font = "11px system-ui, sans-serif";
  return {
    label, font, labelFont: font, labelSize: 14, labelGap: 0, size: 24, gap: 3,
    stroke: colourOf("--faint"), grid: { stroke: colourOf("--line"), width: 1 }, ticks: { stroke: colourOf("--line"), size: 4 },
    values: (_, splits) => splits.map((value) => (Math.abs(value) < 1e-300 ? "0" : shortNumber(value))),
  };
}

export function shortNumber(value: number): string {
  const size = Math.abs(value);
  return size !== 0 && (size < 1e-3 || size >= 1e5) ? value.toExponential(2).replace(/\.?0+e/, "e") : String(Number(value.toPrecision(6)));
}

export function withUnit(name: string, unit: string): string {
  return unit === "" || unit === "1" ? name : `${name} [${unit}]`;
}
