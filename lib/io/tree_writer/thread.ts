/// <reference no-default-lib="true" />
/// <reference lib="deno.worker" />
import { NewFiles } from "./new_files.ts";
import {
  type Batch,
  filesOf,
  GIVEN_UP,
  READY,
  STATE,
  STUCK,
  TAKEN,
  type Told,
  type Unwritten,
} from "./told.ts";

let folder: NewFiles;
let shared: Int32Array;
let unwritten: [path: string, content: Uint8Array][] = [];

self.onmessage = ({ data }: MessageEvent<Told>) => {
  if ("begin" in data) {
    folder = new NewFiles(data.begin.top);
    shared = data.begin.shared;
    Atomics.store(shared, STATE, READY);
  } else if ("batch" in data) {
    write(data.batch);
    Atomics.add(shared, TAKEN, 1);
  } else {
    self.postMessage(unwritten satisfies Unwritten);
    unwritten = [];
    Atomics.store(shared, STATE, READY);
  }
};

function write(batch: Batch): void {
  for (const [path, own] of filesOf(batch)) {
    // A thread that is ended goes on for a while.
    if (Atomics.load(shared, GIVEN_UP) === 1) return;
    if (unwritten.length === 0 && folder.write(path, own)) continue;
    Atomics.store(shared, STATE, STUCK);
    unwritten.push([path, own.slice()]);
  }
}
