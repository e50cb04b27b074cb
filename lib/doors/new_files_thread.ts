/// <reference no-default-lib="true" />
/// <reference lib="deno.worker" />
import { NewFiles } from "./new_files.ts";

/** What the thread is begun with. */
export interface Begin {
  /** The folder that everything is written into. */
  top: string;
  /** Becomes 1 once it listens. */
  ready: Int32Array;
}

/** Files to be written, one behind the other. */
export interface Batch {
  content: Uint8Array;
  files: readonly (readonly [path: string, length: number])[];
}

/** What the thread is told: how it begins, what to write, and that this is all. */
export type Told = { begin: Begin } | { batch: Batch } | { end: true };

/** What the thread tells in the end: the files that it could not write. */
export type Refused = readonly (readonly [path: string, content: Uint8Array])[];

let folder: NewFiles;
const refused: [path: string, content: Uint8Array][] = [];

self.onmessage = ({ data }: MessageEvent<Told>) => {
  if ("begin" in data) {
    folder = new NewFiles(data.begin.top);
    Atomics.store(data.begin.ready, 0, 1);
  } else if ("batch" in data) {
    let from = 0;
    for (const [path, length] of data.batch.files) {
      const content = data.batch.content.subarray(from, from += length);
      if (!folder.write(path, content)) refused.push([path, content.slice()]);
    }
  } else self.postMessage(refused satisfies Refused);
};
