/** The output of a running program. */
export interface PrintedLines {
  /** Waits for a match behind that of the previous call. */
  waitFor(pattern: RegExp): Promise<RegExpExecArray>;
  /** The whole output so far. */
  all(): string;
}

/** Collects the output of a program until it ends. */
export function listenTo(...streams: ReadableStream<Uint8Array<ArrayBuffer>>[]): PrintedLines {
  let text = "";
  let read = 0;
  let [open, change] = [streams.length, Promise.withResolvers<void>()];
  const wake = () => {
    change.resolve();
    change = Promise.withResolvers();
  };
  for (const stream of streams) {
    (async () => {
      const decoder = new TextDecoder();
      for await (const bytes of stream) {
        text += decoder.decode(bytes, { stream: true });
        wake();
      }
      open--;
      wake();
    })();
  }
  return {
    all: () => text,
    async waitFor(pattern) {
      while (true) {
        const found = pattern.exec(text.slice(read));
        if (found !== null) {
          read += found.index + found[0].length;
          return found;
        }
        if (open === 0) throw new Error(`It ended without ${pattern}:\n${text}`);
        await change.promise;
      }
    },
  };
}
