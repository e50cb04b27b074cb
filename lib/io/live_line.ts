import { textWidth } from "../text/columns.ts";
import { renderPaint } from "../text/paint.ts";
import { USUAL_COLUMNS } from "./terminal.ts";

/** A line on a terminal that is redrawn below all that is printed. Several logs may print above the same one. */
export class LiveLine {
  readonly #write: (text: string) => void;
  readonly #columns: () => number | undefined;
  #text?: (columns: number) => string;
  #timer?: ReturnType<typeof setInterval>;
  /** Columns of what is drawn; 0 if nothing is. */
  #drawn = 0;
  /** True while it shows something for as long as the program runs, which no progress replaces. */
  isStatus = false;

  constructor(write: (text: string) => void, columns: () => number | undefined) {
    this.#write = write;
    this.#columns = columns;
  }

  /** Shows a text that is asked anew after some milliseconds each time, and fits the columns it is given. */
  show(
    text: (columns: number) => string,
    { milliseconds, isStatus }: { milliseconds: number; isStatus: boolean },
  ): void {
    clearInterval(this.#timer);
    this.isStatus = isStatus;
    this.#text = text;
    this.#timer = setInterval(() => this.draw(), milliseconds);
    this.draw();
  }

  end(): void {
    clearInterval(this.#timer);
    this.#text = undefined;
    this.isStatus = false;
    this.clear();
  }

  draw(): void {
    if (this.#text === undefined) return;
    this.clear();
    const text = this.#text(this.#count());
    this.#write(renderPaint(text));
    this.#drawn = textWidth(text);
  }

  /** Removes what is drawn, so that something else can be printed. */
  clear(): void {
    if (this.#drawn === 0) return;
    // In a window that has become narrower since, it is wrapped.
    const above = Math.ceil(this.#drawn / this.#count()) - 1;
    this.#write(above > 0 ? `\r\x1b[${above}A\x1b[J` : "\r\x1b[2K");
    this.#drawn = 0;
  }

  #count(): number {
    return this.#columns() ?? USUAL_COLUMNS;
  }
}
