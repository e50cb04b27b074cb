/** A text, and for each of its UTF-16 units the part of the source that it was decoded from. */
export interface DecodedText {
  text: string;
  /** Start of each unit in the source; the unit's own index if absent. */
  starts?: Int32Array;
  /** End of each unit in the source, exclusive. */
  ends?: Int32Array;
}

/** Stands between texts that were decoded from different places. */
export const SEPARATOR = "\0";

/** Collects decoded units with their places in the source. */
export class Builder {
  #units: Uint16Array;
  #starts: Int32Array;
  #ends: Int32Array;
  #length = 0;
  readonly #source: DecodedText;

  constructor(source: DecodedText, capacity: number) {
    this.#source = source;
    this.#units = new Uint16Array(capacity);
    this.#starts = new Int32Array(capacity);
    this.#ends = new Int32Array(capacity);
  }

  /** Appends units of the source as they are. */
  copy(from: number, to: number): void {
    for (let at = from; at < to; at++) this.#push(this.#source.text.charCodeAt(at), at, at + 1);
  }

  /** Appends a text that the source spells from `from` to `to`. */
  add(text: string, from: number, to: number): void {
    for (let unit = 0; unit < text.length; unit++) this.#push(text.charCodeAt(unit), from, to);
  }

  /** Appends a unit by its code. */
  #push(code: number, from: number, to: number): void {
    if (this.#length === this.#units.length) this.#grow();
    const { starts, ends } = this.#source;
    this.#units[this.#length] = code;
    this.#starts[this.#length] = starts === undefined ? from : starts[from]!;
    this.#ends[this.#length++] = ends === undefined ? to : ends[to - 1]!;
  }

  get length(): number {
    return this.#length;
  }

  get decoded(): DecodedText {
    const parts: string[] = [];
    for (let at = 0; at < this.#length; at += CHUNK) {
      const end = Math.min(at + CHUNK, this.#length);
      parts.push(String.fromCharCode(...this.#units.subarray(at, end)));
    }
    return { text: parts.join(""), starts: this.#starts, ends: this.#ends };
  }

  #grow(): void {
    const size = 2 * this.#length + 64;
    const [units, starts, ends] = [
      new Uint16Array(size),
      new Int32Array(size),
      new Int32Array(size),
    ];
    units.set(this.#units);
    starts.set(this.#starts);
    ends.set(this.#ends);
    [this.#units, this.#starts, this.#ends] = [units, starts, ends];
  }
}

/** Units converted to text in one call; `String.fromCharCode` takes a limited number of arguments. */
const CHUNK = 8192;

/** A character, and the bytes that spell it. */
interface Utf8Character {
  text: string;
  from: number;
  to: number;
}

/** Decodes UTF-8; an invalid byte is read as Latin-1. */
export function* decodeUtf8(bytes: Uint8Array): Generator<Utf8Character> {
  for (let from = 0; from < bytes.length;) {
    const first = bytes[from]!;
    const length = first < 0xc2 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 1;
    let code = length === 1 ? first : first & (0x7f >> length);
    let to = from + 1;
    while (to < from + length && (bytes[to]! & 0xc0) === 0x80) {
      code = (code << 6) | (bytes[to]! & 0x3f);
      to++;
    }
    const isWhole = to === from + length && code <= 0x10ffff;
    if (!isWhole) {
      code = first;
      to = from + 1;
    }
    yield { text: String.fromCodePoint(code), from, to };
    from = to;
  }
}
