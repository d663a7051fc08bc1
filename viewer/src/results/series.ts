// Everything with one number for each frame.
import type { Contacts } from "./contacts";
import type { Column, Series } from "./protocol";
import type { RunFile } from "./run_file";

const maxValues = 100_000;
const blockRows = 1 << 16;

interface ContactQuantity {
  name: string;
  unit: string;
  dataset: string;
  width: number;
  value(row: Float64Array, at: number): number;
  /** Of several contacts. */
  combine(a: number, b: number): number;
  absent: number;
}

const add = (a: number, b: number) => a + b;
const contactQuantities: ContactQuantity[] = [
  { name: "force", unit: "N", dataset: "force", width: 3, value: (r, i) => r[i]!, combine: add, absent: 0 },
  { name: "friction", unit: "N", dataset: "force", width: 3, value: (r, i) => Math.hypot(r[i + 1]!, r[i + 2]!), combine: add, absent: 0 },
  { name: "impulse", unit: "N s", dataset: "impulse", width: 3, value: (r, i) => r[i]!, combine: add, absent: 0 },
  { name: "gap", unit: "m", dataset: "gap", width: 1, value: (r, i) => r[i]!, combine: Math.min, absent: NaN },
  { name: "work", unit: "J", dataset: "work", width: 1, value: (r, i) => r[i]!, combine: add, absent: 0 },
];
const reports = [
  ["residual", "1"],
  ["penetration", "m"],
  ["drift", "m or rad"],
  ["iterations", "1"],
  ["active_contacts", "1"],
  ["impacts", "1"],
] as const;

interface Source {
  column: Column;
  read(stride: number): Float64Array;
}

export class SeriesReader {
  private readonly pairs: string[];

  constructor(private readonly run: RunFile, private readonly contacts: Contacts) {
    const [first, second] = [run.hdf5.strings("/contacts/pairs/body"), run.hdf5.strings("/contacts/pairs/obstacle")];
    this.pairs = first.map((name, i) => `contact(${name}, ${second[i]})`);
  }

  /** Columns whose names have all the words, those with fewer letters around them first. */
  search(text: string, limit: number): Column[] {
    const words = text.toLowerCase().split(/\s+/).filter((word) => word !== "");
    const found: Column[] = [];
    for (const { column } of this.sources()) {
      const name = `${column.group} ${column.id}`.toLowerCase();
      if (words.every((word) => name.includes(word))) found.push(column);
      if (found.length >= limit) break;
    }
    return found;
  }

  read(id: string): Series {
    for (const { column, read } of this.sources()) {
      if (column.id !== id) continue;
      const stride = Math.ceil(this.run.frames / maxValues);
      return { column, stride, values: read(stride) };
    }
    throw new Error(`The file has no column ${id}.`);
  }

  /** One after the other, because there may be hundreds of thousands of coordinates. */
  private *sources(): Generator<Source> {
    const { hdf5, frames } = this.run;
    const table = (path: string, index: number) => (stride: number) => hdf5.column(path, index, frames, stride);
    const units = hdf5.strings("/probes/units");
    for (const [i, id] of hdf5.strings("/probes/names").entries())
      yield { column: { id, unit: units[i]!, group: "probe" }, read: table("/probes/values", i) };
    for (const [i, name] of hdf5.strings("/energy/names").entries())
      yield { column: { id: `energy.${name}`, unit: "J", group: "energy" }, read: table("/energy/values", i) };
    yield* this.contactSources();
    for (const [name, unit] of reports)
      yield {
        column: { id: `report.${name}`, unit, group: "report" },
        read: (stride) => hdf5.rows(`/reports/${name}`, 0, frames, stride),
      };
    yield* this.states("q", "coordinate", "/states/names", "/states/units");
    yield* this.states("v", "velocity", "/states/velocity_names", "/states/velocity_units");
  }

  private *contactSources(): Generator<Source> {
    if (this.pairs.length === 0) return;
    const source = (name: string, quantity: ContactQuantity, contact: number): Source => ({
      column: { id: `${name}.${quantity.name}`, unit: quantity.unit, group: "contact" },
      read: (stride) => this.contactValues(quantity, contact, stride),
    });
    for (const quantity of contactQuantities) yield source("contacts", quantity, -1);
    for (const [contact, pair] of this.pairs.entries())
      for (const quantity of contactQuantities) yield source(pair, quantity, contact);
  }

  private *states(letter: "q" | "v", group: Column["group"], names: string, units: string): Generator<Source> {
    const unit = this.run.hdf5.strings(units);
    for (const [i, name] of this.run.hdf5.strings(names).entries())
      yield {
        column: { id: `${letter}.${name}`, unit: unit[i]!, group },
        read: (stride) => this.run.hdf5.column(`/states/${letter}`, i, this.run.frames, stride),
      };
  }

  /** Of one contact, or of all of them (-1). Rows are read block by block. */
  private contactValues(quantity: ContactQuantity, contact: number, stride: number): Float64Array {
    const { hdf5, frames, contactRows } = this.run;
    const values = new Float64Array(Math.ceil(frames / stride)).fill(quantity.absent);
    let frame = 0;
    for (let begin = 0; begin < contactRows; begin += blockRows) {
      const end = Math.min(begin + blockRows, contactRows);
      const index = hdf5.rows("/contacts/contact", begin, end);
      const rows = hdf5.rows(`/contacts/${quantity.dataset}`, begin, end);
      for (let row = begin; row < end; ++row) {
        while (row >= this.contacts.range(frame)[1]) ++frame;
        if (frame % stride !== 0 || (contact >= 0 && index[row - begin] !== contact)) continue;
        const value = quantity.value(rows, quantity.width * (row - begin));
        const at = frame / stride;
        values[at] = Number.isNaN(values[at]) ? value : quantity.combine(values[at]!, value);
      }
    }
    return values;
  }
}
