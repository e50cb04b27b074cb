import { shorten } from "../../text/plain_text.ts";

/** What keeps a text from being an assertion, in words that name the character. */
export class AssertionFault extends Error {
  override readonly name = "AssertionFault";
  /** `offset` counts UTF-16 units from the start of the text to the fault. */
  constructor(message: string, readonly offset: number) {
    super(message);
  }
}

/** Reads a text from its start to its end, piece by piece. */
export class Scanner {
  #at = 0;

  constructor(readonly text: string) {
    this.skipBlanks();
  }

  /** UTF-16 units before the next piece. */
  get at(): number {
    return this.#at;
  }

  get isAtEnd(): boolean {
    return this.#at === this.text.length;
  }

  /** Takes what a sticky pattern finds at this place, if it finds anything. */
  take(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.text);
    if (found === null) return undefined;
    this.#at += found[0].length;
    return found;
  }

  skipBlanks(): void {
    this.take(/\s*/y);
  }

  /** The fault that something else stands at a place than what is expected. */
  fault(expected: string, { at = this.#at, hint }: { at?: number; hint?: string } = {}) {
    const piece = /^\S+/.exec(this.text.slice(at))?.[0];
    const found = piece === undefined ? "nothing" : `"${shorten(piece, 40)}"`;
    return this.wrong(`expected ${expected}, found ${found}`, { at, hint });
  }

  /** A fault of a place, in words. */
  wrong(words: string, { at, hint }: { at: number; hint?: string }): AssertionFault {
    const character = [...this.text.slice(0, at)].length + 1;
    const more = hint === undefined ? "" : `; ${hint}`;
    return new AssertionFault(`${words} at character ${character}${more}`, at);
  }
}
