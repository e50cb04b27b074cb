import { folderWorkspace } from "../../lib/doors/workspace.ts";
import type { Drawn } from "../../lib/graphs/graph_changes.ts";
import { graphPath } from "../../lib/graphs/graph_files.ts";
import { keepGraphs, type KeptGraphs } from "../../lib/graphs/keep_graphs.ts";
import { openStore } from "../../lib/store/open_store.ts";
import { NOW } from "./outcomes.ts";
import { StillClock } from "./still_clock.ts";

/** The lock that runs of a folder share in these tests. */
export const LOCK = ".monitorrc.yml";

/** A day's graph of each site, with bytes that no text has. */
export function drawnOf(contents: Readonly<Record<string, number>>): Drawn {
  const files = Object.entries(contents).map(([slug, number]): [string, Uint8Array] => [
    dayGraph(slug),
    bytesOf(number),
  ]);
  return { files: new Map(files), configured: new Set(Object.keys(contents)) };
}

/** The path of the graph that {@linkcode drawnOf} draws of a site. */
export function dayGraph(slug: string): string {
  return graphPath(slug, "day", "light", "png");
}

/** What that graph holds. */
export function bytesOf(number: number): Uint8Array {
  return Uint8Array.of(0x89, 0x50, 0xff, 0, 0x0d, 0x0a, number);
}

/** Keeps graphs of a folder as a command does, `branch` being what the configuration says. */
export async function keep(
  root: string,
  drawn: Drawn,
  { branch = "monitor-graphs", clock = new StillClock(), run = "9f3c01ab" } = {},
): Promise<KeptGraphs> {
  const workspace = folderWorkspace(root);
  const store = await openStore(root, { workspace, lock: LOCK, clock, warn: () => {} });
  await store.read();
  return await keepGraphs(drawn, {
    root,
    workspace,
    store,
    branch,
    clock,
    commit: {
      run,
      time: NOW,
      message: "Draw graphs [skip ci]",
      author: { name: "Jo", email: "jo@example.com" },
    },
  });
}
