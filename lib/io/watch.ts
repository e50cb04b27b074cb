import { delay } from "@std/async/delay";
import { relative } from "node:path";

/** Milliseconds without a change after which those before belong together. */
const QUIET = 150;
/** Most retries while changes never end. */
const MOST = 20;

/** Watches a folder with its subfolders, and yields after each burst of changes of wanted files. */
export function watchFolder(
  folder: string,
  isWanted: (path: string) => boolean,
  signal: AbortSignal,
): AsyncGenerator<void, void, void> {
  let change = Promise.withResolvers<boolean>();
  const watcher = Deno.watchFs(folder);
  signal.addEventListener("abort", () => {
    watcher.close();
    change.resolve(false);
  }, { once: true });
  (async () => {
    for await (const { kind, paths } of watcher) {
      const isRelevant = kind !== "access" &&
        paths.some((path) => isWanted(relative(folder, path)));
      if (isRelevant) change.resolve(true);
    }
  })();
  return (async function* () {
    while (!signal.aborted && await change.promise) {
      for (let round = 0; round < MOST; round++) {
        change = Promise.withResolvers();
        if (!await Promise.race([change.promise, delay(QUIET).then(() => false)])) break;
      }
      if (!signal.aborted) yield;
    }
  })();
}
