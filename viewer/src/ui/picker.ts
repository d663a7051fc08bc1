import type { Results } from "../results/client";
import type { Column } from "../results/protocol";
import { byId } from "./dom";

const shown = 60;

/** The search box above the plots: words, arrow keys and Enter, or the mouse. */
export class Picker {
  private readonly input = byId<HTMLInputElement>("search");
  private readonly list = byId<HTMLUListElement>("found");
  private columns: Column[] = [];
  private chosen = 0;

  constructor(private readonly results: Results, private readonly onPick: (column: Column) => void) {
    this.input.oninput = this.input.onfocus = () => void this.search();
    this.input.onblur = () => setTimeout(() => (this.list.hidden = true), 150);
    this.input.onkeydown = (event) => this.key(event);
    this.list.replaceChildren();
    this.list.hidden = true;
  }

  focus(): void {
    this.input.focus();
    this.input.select();
  }

  private async search(): Promise<void> {
    const text = this.input.value;
    const columns = await this.results.search(text, shown);
    if (text !== this.input.value) return; // typed on meanwhile
    this.columns = columns;
    this.chosen = 0;
    this.show();
  }

  private show(): void {
    this.list.replaceChildren(
      ...this.columns.map((column, i) => {
        const item = document.createElement("li");
        item.role = "option";
        item.ariaSelected = String(i === this.chosen);
        item.textContent = column.id;
        const unit = document.createElement("small");
        unit.textContent = `${column.unit} · ${column.group}`;
        item.append(unit);
        item.onmousedown = (event) => {
          event.preventDefault(); // the box keeps the focus, so that more can be picked
          this.onPick(column);
        };
        return item;
      }),
    );
    if (this.columns.length === 0) this.list.append(Object.assign(document.createElement("li"), { textContent: "nothing of that name" }));
    this.list.hidden = false;
  }

  private key(event: KeyboardEvent): void {
    event.stopPropagation();
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      this.chosen = Math.min(Math.max(this.chosen + step, 0), this.columns.length - 1);
      this.show();
      this.list.children[this.chosen]?.scrollIntoView({ block: "nearest" });
      event.preventDefault();
    } else if (event.key === "Enter" && this.columns[this.chosen]) {
      this.onPick(this.columns[this.chosen]!);
    } else if (event.key === "Escape") {
      this.input.blur();
    }
  }
}
