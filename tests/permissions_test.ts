import { assert, assertEquals, assertThrows } from "@std/assert";
import { COMMANDS } from "../commands/mod.ts";
import manifest from "../deno.json" with { type: "json" };
import { type Permissions, taskPermissions, WITH_PING } from "../schema/permissions.ts";
import { bundleManifest } from "../tools/bundle_manifest.ts";

/** Variables that commands may read at most, in groups. */
const VARIABLES: Record<string, string> = {
  all: "GITHUB_ACTIONS MONITOR_COMMAND NO_COLOR PATH HOME",
  tokens: "HOST_PAT GITHUB_TOKEN GH_PAT",
  token: "GITHUB_TOKEN",
  secrets: "SECRETS_CONTEXT",
  action: "ACTION_REPOSITORY GITHUB_ACTION_REPOSITORY",
  repository: "GITHUB_REPOSITORY GITHUB_SERVER_URL",
  api: "GITHUB_API_URL",
  ca: "NODE_EXTRA_CA_CERTS",
  beats: "HEARTBEAT_*",
  announcement: "ANNOUNCEMENT",
  git: "USER TMPDIR SSH_* GIT_* XDG_*",
  proxies: "HTTP_PROXY HTTPS_PROXY NO_PROXY ALL_PROXY http_proxy https_proxy no_proxy all_proxy",
};

/** The most that each command may do; all may run git, and no command may do more. */
const LIMITS = `
command         | net       | read | write | native | sys                           | variables
update          | any       | any  | own   | no     | ca,networkInterfaces          | all beats tokens secrets repository api ca git proxies
probe           | any       | any  | own   | no     | ca,networkInterfaces          | all token secrets repository api ca git proxies
validate        | no        | own  | own   | no     |                               | all secrets api
response-time   | no        | own  | own   | no     |                               | all secrets git proxies
graphs          | no        | any  | own   | yes    | cpus,hostname,networkInterfaces | all git proxies
site            | any       | any  | own   | yes    | cpus,hostname,networkInterfaces | all tokens secrets repository api ca git proxies
readme          | any       | own  | own   | no     |                               | all tokens secrets repository api ca git proxies
update-template | any       | own  | own   | no     |                               | all tokens action repository api ca git proxies
serve           | 127.0.0.1 | any  | own   | yes    | cpus,hostname,networkInterfaces | all tokens secrets repository git proxies
check           | any       | any  | no    | no     | ca,networkInterfaces          | all beats secrets repository api ca
maintenance     | any       | own  | own   | no     |                               | all tokens secrets repository api ca git proxies
ack             | no        | own  | own   | no     |                               | all git proxies
announce        | any       | own  | own   | no     |                               | all tokens announcement repository api ca proxies
mute            | no        | own  | own   | no     |                               | all git proxies
beat            | any       | own  | own   | no     |                               | all tokens repository api ca proxies
dispatch        | any       | own  | no    | no     |                               | all tokens repository api ca proxies
notify-test     | any       | any  | no    | no     | ca,networkInterfaces          | all tokens secrets repository api ca git proxies
doctor          | any       | own  | no    | no     |                               | all tokens secrets action repository api ca git proxies
set-secret      | any       | own  | no    | no     |                               | all tokens repository api ca proxies
status          | no        | own  | no    | no     |                               | all git proxies
incidents       | any       | own  | own   | no     |                               | all tokens secrets repository api ca git proxies
report          | no        | own  | no    | no     |                               | all repository git proxies
state           | no        | own  | no    | no     |                               | all git proxies
init            | any       | own  | own   | no     |                               | all repository
import          | any       | own  | own   | no     |                               | all tokens secrets action repository api ca git proxies
`;

const VALUES: Record<string, true | string[]> = {
  ...{ any: true, yes: true, no: [], "": [] },
  own: ["$INIT_CWD"],
};

/** The rows of the table as permissions, by command. */
function limits(): Map<string, Permissions> {
  const [, ...rows] = LIMITS.trim().split("\n");
  return new Map(rows.map((row) => {
    const [name, net, read, write, ffi, sys, variables] = row.split("|").map((one) => one.trim());
    const value = (text: string) => VALUES[text] ?? text.split(",");
    const env = variables!.split(" ").flatMap((group) => VARIABLES[group]!.split(" "));
    const [given, taken] = [{ net, read, write, ffi, sys }, { run: ["git"], env }];
    const entries = Object.entries(given).map(([kind, text]) => [kind, value(text!)]);
    return [name!, { ...Object.fromEntries(entries), ...taken }];
  }));
}

Deno.test("no command has a permission beyond its limit", () => {
  const granted = taskPermissions(manifest);
  const commands = [...granted.keys()].filter((task) => !WITH_PING.test(task));
  assertEquals(commands.sort(), Object.keys(COMMANDS).sort());
  for (const [name, limit] of limits()) {
    for (const [kind, allowed] of Object.entries(granted.get(name)!)) {
      const most = limit[kind as keyof Permissions]!;
      if (most === true) continue;
      assert(allowed !== true, `${name} has all of ${kind}`);
      assertEquals(allowed.filter((one) => !most.includes(one)), [], `${name}: ${kind}`);
    }
  }
});

Deno.test("only tasks for it may run ping, and they may do nothing else that their command may not", () => {
  const granted = taskPermissions(manifest);
  const tasks = [...granted].filter(([, { run }]) => run === true || run?.includes("ping"));
  assertEquals(tasks.map(([task]) => task), [
    "update-with-ping",
    "probe-with-ping",
    "watch-with-ping",
    "check-with-ping",
  ]);
  for (const [task, permissions] of tasks) {
    const usual = granted.get(task.replace(WITH_PING, ""));
    assertEquals(permissions, { ...usual, run: ["git", "ping"] });
  }
});

Deno.test("every task of a command has the same form, and every permission set is used", () => {
  const form =
    /^deno run -q --no-prompt --cached-only -P=(\w+)(?: "?--allow-(?:net|run|sys|ffi|read|write)(?:=\S+)?)* main\.ts ([\w-]+) "--root=\$INIT_CWD"$/;
  const sets = Object.entries(manifest.tasks).flatMap(([name, { command }]) => {
    if (!command.includes(" main.ts ")) return [];
    const [, set, word] = form.exec(command) ?? [];
    assertEquals(word, name.replace(WITH_PING, ""), command);
    return set!;
  });
  assertEquals(new Set(sets), new Set(Object.keys(manifest.permissions)));
  for (const [name, set] of Object.entries(manifest.permissions)) {
    assert(!("read" in set) && !("write" in set), `${name}: files are granted by flags`);
  }
});

Deno.test("in the bundle each command has the same permissions, apart from native code", () => {
  const { demo, ...commands } = bundleManifest(manifest).tasks;
  const tasks = Object.entries(commands).map(([name, { command }]) =>
    [name, { command: command.replace(" monitor/main.js ", " main.ts ") }] as const
  );
  const bundled = taskPermissions({
    permissions: manifest.permissions,
    tasks: Object.fromEntries(tasks),
  });
  for (const [name, { ffi: _, ...permissions }] of taskPermissions(manifest)) {
    assertEquals(bundled.get(name), permissions, name);
  }
  for (const { command } of [demo!, ...Object.values(commands)]) {
    assert(command.includes(" --config deno.json --no-lock --no-npm --no-remote "), command);
  }
});

Deno.test("an unknown set, field or flag is an error", () => {
  const task = (command: string) => ({ tasks: { one: { command } } });
  const set = { env: { allow: [], ignore: true } };
  const wrong: [string, Record<string, Record<string, unknown>>][] = [
    ["deno run -P=two main.ts one", { one: set }],
    ["deno run -P=one main.ts one", { one: { ...set, nett: true } }],
    ["deno run -P=one main.ts one", { one: { env: { allow: [] } } }],
    ["deno run -P=one --allow-hrtime main.ts one", { one: set }],
  ];
  for (const [command, permissions] of wrong) {
    assertThrows(() => taskPermissions({ permissions, ...task(command) }), Error, "ermission");
  }
});
