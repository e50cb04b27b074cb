import { assert, assertEquals, assertMatch } from "@std/assert";
import { COMMANDS } from "../../commands/mod.ts";
import { textWidth } from "../../lib/text/columns.ts";
import { runTask } from "../helpers/program.ts";
import { git, makeRemote, makeScratch } from "../helpers/scratch.ts";
import { runs } from "../helpers/property.ts";
import { closedPort } from "../helpers/servers.ts";

/** Long names, addresses and paths, and mistakes, so that every command has much to say. */
const CONFIG = (port: number) =>
  `canaries: []
retry: { delays: [] }
driftAlarm: treu
notifications: [{ type: slack, webhook-url: $WEBHOOK_OF_THE_TEAM_THAT_RUNS_ALL_SITES_OF_THE_COMPANY }]
sites:
  - { name: A shop with a rather long name for a table, url: "http://127.0.0.1:${port}/" }
  - { name: 日本語のとても長い名前のサイト, slug: ja, url: "http://127.0.0.1:${port}/", timeoutt: 1 }
  - { name: API, url: "http://127.0.0.1:${port}/", headers: ["Authorization: Bearer $TOKEN"] }
`;

const CALLS = [
  ...["update", "update --dry-run", "validate", "doctor", "status", "status ja", "incidents"],
  ...["report", "state", "maintenance", "import upptime --dry-run", "readme"],
  ...[
    "notify-test",
    "init",
    "check ja",
    "ack ja",
    "dispatch uptime",
    "frobnicate",
    "update --hlep",
  ],
  ...["update-template --dry-run", "response-time", "--help", "status nowhere"],
  ...["check nowhere", "maintenance frob", "report --month 2026-13", "incidents nowhere"],
];

/** A word that no line of a terminal holds, but an address. */
const ADDRESS = /\w:\/\//;

for (const columns of [60, 80, 100, 120].slice(0, runs(1, 4))) {
  Deno.test(`all that commands print fits a terminal of ${columns} columns, broken at blanks`, async () => {
    await using scratch = await makeScratch();
    const remote = await makeRemote(scratch.path, { ".monitorrc.yml": CONFIG(closedPort()) });
    const folder = `${scratch.path}/status`;
    await git(scratch.path, "clone", "--quiet", remote, folder);
    for (const call of CALLS) {
      const [name = "", ...args] = call.split(" ");
      const task = Object.hasOwn(COMMANDS, name) ? name : "status";
      const words = task === name ? args : call.split(" ");
      const run = (columns?: number) =>
        runTask(task, {
          folder,
          args: words,
          columns,
          env: { SECRETS_CONTEXT: '{"X":"not-given"}' },
        });
      const shown = await run(columns);
      for (const line of (shown.stdout + shown.stderr).split("\n")) {
        assert(textWidth(line) <= columns || ADDRESS.test(line), `${call}: ${line}`);
      }
    }
  });
}

Deno.test("in a pipe the same lines stay whole", async () => {
  await using scratch = await makeScratch();
  await scratch.write(".monitorrc.yml", CONFIG(closedPort()));
  const run = (columns?: number) => runTask("update", { folder: scratch.path, columns });
  const [whole, wrapped] = [await run(), await run(60)];
  assertMatch(whole.stderr, /^warning: .{60,}$/m);
  const warnings = (text: string) => text.match(/^\w+: /gm)?.length;
  assertEquals(warnings(whole.stderr), warnings(wrapped.stderr));
  assertMatch(wrapped.stderr, /^warning: .*\n {2}\S/m);
});
