import type { Git } from "./git.ts";

const LINE_END = 0x0a;

/**
 * Contents of blobs, given their names, one after the other while git looks for the next; `undefined`
 * for what is no blob. Each is overwritten by the next.
 */
export async function* streamContents(
  git: Git,
  names: readonly string[],
): AsyncGenerator<Uint8Array | undefined> {
  if (names.length === 0) return;
  const input = names.map((name) => `${name}\n`).join("");
  const output = git.stream(["cat-file", "--batch"], input);
  const inflow = new Inflow(output);
  try {
    for (let count = 0; count < names.length; count++) {
      const [, type, size] = /^[0-9a-f]+ (\w+) (\d+)$/.exec(await inflow.line()) ?? [];
      const content = size === undefined ? undefined : await inflow.take(Number(size));
      if (size !== undefined) await inflow.line();
      yield type === "blob" ? content : undefined;
    }
    // Ends the command, or tells why it failed.
    await output.next();
  } finally {
    await output.return(undefined);
  }
}

/** Takes apart what comes in pieces of any size. */
class Inflow {
  readonly #pieces: AsyncIterator<Uint8Array>;
  #piece: Uint8Array = new Uint8Array();
  #taken = new Uint8Array();

  constructor(pieces: AsyncIterator<Uint8Array>) {
    this.#pieces = pieces;
  }

  /** The next line, without its end. */
  async line(): Promise<string> {
    let line = "";
    for (;;) {
      const end = this.#piece.indexOf(LINE_END);
      const part = this.#piece.subarray(0, end === -1 ? this.#piece.length : end);
      line += new TextDecoder().decode(part);
      this.#piece = this.#piece.subarray(part.length + 1);
      if (end !== -1) return line;
      await this.#refill();
    }
  }

  /** The next bytes, which stay what they are until the next are taken. */
  async take(length: number): Promise<Uint8Array> {
    if (this.#taken.length < length) this.#taken = new Uint8Array(length);
    for (let at = 0; at < length;) {
      if (this.#piece.length === 0) await this.#refill();
      const part = this.#piece.subarray(0, length - at);
      this.#taken.set(part, at);
      this.#piece = this.#piece.subarray(part.length);
      at += part.length;
    }
    return this.#taken.subarray(0, length);
  }

  async #refill(): Promise<void> {
    const { done, value } = await this.#pieces.next();
    if (done) throw new Error("Cannot read from git: it ended before it had told everything");
    this.#piece = value;
  }
}
