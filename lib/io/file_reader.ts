/** Reads files into one piece of memory: what a file holds is overwritten by the next. */
export class FileReader {
  #room = new Uint8Array();

  /**
   * What a file holds, given its path; `undefined` where that is longer than `most` bytes.
   *
   * @throws {Error} Where it can't be read.
   */
  async read(path: string, most = Infinity): Promise<Uint8Array | undefined> {
    using file = await Deno.open(path);
    const { size } = await file.stat();
    // One more, to see that it ends, and some for the next: files of a kind are about as long.
    if (size <= most && this.#room.length <= size) {
      this.#room = new Uint8Array(Math.ceil(1.1 * size) + 1);
    }
    let length = 0;
    for (let read: number | null = 0; read !== null; length += read ?? 0) {
      if (length > most) return undefined;
      // It has grown meanwhile.
      if (length === this.#room.length) {
        this.#room = new Uint8Array(this.#room.buffer.transfer(2 * length + 1));
      }
      read = await file.read(this.#room.subarray(length));
    }
    return this.#room.subarray(0, length);
  }
}
