/** What a program prints, as it comes. */
export interface Spoken {
  /** Waits for a line that matches, among those that no earlier call has come to. */
  heard(pattern: RegExp): Promise<RegExpExecArray>;
  /** Everything so far. */
  all(): string;
}

/** Listens to a program until it ends. */
export function listenTo(...streams: ReadableStream<Uint8Array<ArrayBuffer>>[]): Spoken {
  let text = "";
  let heard = 0;
  let [open, news] = [streams.length, Promise.withResolvers<void>()];
  const wake = () => {
    news.resolve();
    news = Promise.withResolvers();
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
    async heard(pattern) {
      while (true) {
        const found = pattern.exec(text.slice(heard));
        if (found !== null) {
          heard += found.index + found[0].length;
          return found;
        }
        if (open === 0) throw new Error(`It ended without a word of ${pattern}:\n${text}`);
        await news.promise;
      }
    },
  };
}
