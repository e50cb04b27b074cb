import { delay } from "@std/async/delay";
import { basename } from "node:path";

/** Watched files and folders; missing ones are watched after the next change. */
export interface Watched {
  /** Folders, each with the names in it that count. */
  names: ReadonlyMap<string, ReadonlySet<string>>;
  /** Folders of which all counts, also what is in folders within them. */
  folders: readonly string[];
}

/** Milliseconds without a change after which those before belong together. */
const QUIET = 150;
/** Most retries while changes never end. */
const MOST = 20;

/** Begins to watch. What is returned yields each time something has changed, also what did so meanwhile. */
export async function changesOf(
  watched: Watched,
  signal: AbortSignal,
): Promise<AsyncGenerator<void, void, void>> {
  const bell = new Bell();
  return changes(watched, { bell, signal, first: await watchAll(watched, bell) });
}

/** Is rung by any change. */
class Bell {
  #rung = Promise.withResolvers<true>();
  ring(): void {
    this.#rung.resolve(true);
  }
  rings(): Promise<true> {
    return this.#rung.promise;
  }
  calm(): void {
    this.#rung = Promise.withResolvers();
  }
}

async function* changes(
  watched: Watched,
  { bell, signal, first }: { bell: Bell; signal: AbortSignal; first: { close(): void } },
): AsyncGenerator<void, void, void> {
  const ended = new Promise<false>((resolve) =>
    signal.addEventListener("abort", () => resolve(false), { once: true })
  );
  let watch = first;
  try {
    while (!signal.aborted && await Promise.race([bell.rings(), ended])) {
      for (let round = 0; round < MOST; round++) {
        bell.calm();
        if (!await Promise.race([bell.rings(), ended, pause()])) break;
      }
      // Folders may have come, and what changes from here on is news.
      bell.calm();
      const next = await watchAll(watched, bell);
      watch.close();
      watch = next;
      if (!signal.aborted) yield;
    }
  } finally {
    watch.close();
  }
}

async function pause(): Promise<false> {
  await delay(QUIET);
  return false;
}

async function watchAll(
  { names, folders }: Watched,
  bell: Bell,
): Promise<{ close(): void }> {
  const flat = await existing([...names.keys()]);
  const deep = await existing(folders);
  const wanted = new Set([...names.values()].flatMap((own) => [...own]));
  const watchers = [
    ...flat.length > 0 ? [Deno.watchFs(flat, { recursive: false })] : [],
    ...deep.length > 0 ? [Deno.watchFs(deep)] : [],
  ];
  for (const [index, watcher] of watchers.entries()) {
    const isFlat = index === 0 && flat.length > 0;
    const isNews = ({ kind, paths }: Deno.FsEvent) =>
      kind !== "access" && (!isFlat || paths.some((path) => wanted.has(basename(path))));
    (async () => {
      for await (const event of watcher) if (isNews(event)) bell.ring();
    })();
  }
  return {
    close() {
      for (const watcher of watchers) watcher.close();
    },
  };
}

async function existing(paths: readonly string[]): Promise<string[]> {
  const found = await Promise.all(
    paths.map((path) => Deno.stat(path).then((place) => place.isDirectory, () => false)),
  );
  return paths.filter((_, index) => found[index]);
}
