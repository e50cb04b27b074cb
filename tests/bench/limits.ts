import { join } from "node:path";
import { chooseAddresses } from "../../lib/config/layout.ts";
import { EXPORT_FOLDER } from "../../lib/config/page_path.ts";
import { PENDING_REF } from "../../lib/git/remote.ts";
import { FILE_WINDOW_NAMES } from "../../lib/history/windows.ts";
import { graphPath } from "../../lib/statistics/graphs/graph_files.ts";
import { BRANCH, keep } from "../helpers/kept_graphs.ts";
import { makeRepository } from "../helpers/repositories.ts";
import { git, makeScratch } from "../helpers/scratch.ts";
import { httpServer } from "../helpers/servers.ts";
import { measureFolder, measureRevision, type TreeSizes } from "../helpers/tree_sizes.ts";
import { measureTask } from "./measure_task.ts";
import type { BenchPart } from "./part.ts";

const SITES = 10_000;
const MOST_BYTES = 1_000_000;
const MOST_ENTRIES = 3_000;

/** Sizes of everything that is written about 10,000 sites, all of which have an outage. */
export const limits: BenchPart = {
  title: `Largest objects and folders at ${SITES} sites`,
  note:
    `after an outage of all sites; no object may be above ${MOST_BYTES} bytes, and no folder above` +
    ` ${MOST_ENTRIES} entries; graphs have their paths, but no pictures`,
  async measure({ quick, progress }) {
    const count = quick ? SITES / 10 * 3 : SITES;
    await using scratch = await makeScratch("monitor-limits-");
    let isDown = false;
    await using server = httpServer(() => new Response("ok", { status: isDown ? 503 : 200 }));
    const sites = Array.from({ length: count }, (_, index) => ({
      name: `Service number ${index + 1}`,
      url: `${server.url}/${index + 1}`,
      group: `Group ${index % 40}`,
    }));
    const config = {
      ...{ concurrency: 64, retry: { delays: [] }, recheckDelay: 0, canaries: [], sites },
      "status-website": { cname: "status.example.com" },
    };
    const folder = await makeRepository(join(scratch.path, "status"), {
      ".monitorrc.yml": JSON.stringify(config),
      "README.md": "<!-- monitor: summary -->\n<!-- /monitor: summary -->\n",
    });
    const remote = join(scratch.path, "remote.git");
    await git(scratch.path, "init", "--quiet", "--bare", "--initial-branch=main", remote);
    await git(folder, "remote", "add", "origin", `file://${remote}`);
    await git(folder, "push", "--quiet", "--set-upstream", "origin", "HEAD:main");
    const run = async (task: string) => {
      progress(`${task} of ${count} sites`);
      await measureTask(task, folder, ["--json"]);
    };
    await run("update");
    isDown = true;
    for (let index = 0; index < 3; index++) await run("update");
    const paths = sites.flatMap((_, index) =>
      FILE_WINDOW_NAMES.map((window) =>
        graphPath(
          `service-number-${index + 1}`,
          ...[window, "light", "png", chooseAddresses(count)] as const,
        )
      )
    );
    await keep(folder, { files: new Map(paths.map((path) => [path, Uint8Array.of(0)])) });
    for (const task of ["response-time", "readme", "site"]) await run(task);
    const isOurs = (path: string) => !path.startsWith(".monitorrc");
    const places: [place: string, TreeSizes][] = [
      ["the branch", await measureRevision(remote, "main", isOurs)],
      ["checks that wait", await measureRevision(remote, PENDING_REF)],
      ["graphs", await measureRevision(remote, BRANCH)],
      ["the status page", await measureFolder(join(folder, EXPORT_FOLDER))],
    ];
    const isWithin = ({ largestFile, largestFolder }: TreeSizes) =>
      largestFile.size <= MOST_BYTES && largestFolder.size <= MOST_ENTRIES;
    return [
      ["place", "files", "largest object", "largest folder", "limits"],
      ...places.map(([place, sizes]) => [
        place,
        String(sizes.files),
        `${(sizes.largestFile.size / 1000).toFixed(0)} kB ${sizes.largestFile.path}`,
        `${sizes.largestFolder.size} ${sizes.largestFolder.path}/`,
        isWithin(sizes) ? "✓" : "✗",
      ]),
    ];
  },
};
