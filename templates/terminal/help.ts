import { GLOBAL_OPTIONS, type OptionTable } from "../../lib/text/arguments.ts";
import { SCHEMA_ADDRESS, VERSION } from "../../lib/version.ts";
import { dirname } from "node:path/posix";
import { textWidth } from "../../lib/text/columns.ts";
import type { FirstFile } from "../../lib/setup/first_files.ts";
import { WORKFLOW_FOLDER } from "../../lib/config/workflows.ts";
import { count } from "../words.ts";
import { stringify } from "@std/yaml";
import type { FirstSite } from "../../lib/config/first_site.ts";

export interface CommandHelp {
  help: string;
  /** Words after the command. */
  takes?: string;
  /** Options besides the global ones. */
  options?: OptionTable;
}

/** All options; those of one command only start with its name. */
function allOptions(commands: Readonly<Record<string, CommandHelp>>): OptionTable {
  const users = Map.groupBy(
    Object.entries(commands).flatMap(([name, { options = {} }]) =>
      Object.entries(options).map(([option, help]) => ({ name, option, help }))
    ),
    ({ option }) => option,
  );
  const own = [...users].map(([option, uses]) => {
    const { name, help } = uses[0]!;
    return [option, uses.length > 1 ? help : `${name}: ${help}`.replace(/: (start):/, " $1:")];
  });
  return { ...Object.fromEntries(own), ...GLOBAL_OPTIONS };
}

/** Writes the help of the program, or of the command with the name. */
export function usageText(
  commands: Readonly<Record<string, CommandHelp>>,
  name: string | undefined,
): string {
  const known = name !== undefined && Object.hasOwn(commands, name) ? commands[name] : undefined;
  const table = (rows: Readonly<Record<string, string>>) =>
    Object.entries(rows).map(([left, right]) => {
      const gap = left.length < 17 ? "" : `\n${" ".repeat(19)}`;
      return `  ${left.padEnd(17)}${gap}${right}\n`;
    }).join("");
  const helps = Object.fromEntries(
    Object.entries(commands).map(([key, { help, takes = "" }]) => [`${key} ${takes}`, help]),
  );
  const head = known === undefined
    ? `Monitor Action ${VERSION}: uptime monitoring in a repository, without a server\n\nCommands:\n${
      table(helps)
    }`
    : `monitor ${[name, known.takes ?? []].flat().join(" ")}: ${known.help}\n`;
  const options = known === undefined
    ? allOptions(commands)
    : { ...known.options, ...GLOBAL_OPTIONS };
  return `${head}\nOptions:\n${table(options)}`.trimEnd();
}

interface FirstSteps {
  /** Name of the configuration's file. */
  config: string;
  isUnusual: boolean;
  /** Name of the first site; absent if there is none. */
  site?: string;
  /** Number of sites whose history Upptime recorded; 0 outside of a repository that comes from it. */
  upptimeRecords: number;
  files: readonly Pick<FirstFile, "path" | "fate">[];
}

export function firstSteps(done: FirstSteps): string {
  return [...written(done), "Next:", ...planSteps(done)].join("\n");
}

function written({ files }: FirstSteps): string[] {
  const of = (wanted: FirstFile["fate"]) =>
    files.filter(({ fate }) => fate === wanted).map(({ path }) => path);
  const [fresh, added, kept] = [of("new"), of("added to"), of("kept")];
  return [
    ...fresh.length === 0 ? [] : [`Wrote ${listNames(fresh)}.`],
    ...added.length === 0 ? [] : [`Added what was missing to ${listNames(added)}.`],
    ...kept.length === 0
      ? []
      : [`Left ${listNames(kept)} as ${kept.length === 1 ? "it is" : "they are"}.`],
  ];
}

/** Lists names of files, and only counts those of a folder that has many. */
function listNames(paths: readonly string[]): string {
  const folders = Map.groupBy(paths, dirname);
  const names = [...folders].flatMap(([folder, inside]) =>
    folder === "." || inside.length < 3 ? inside : [`${count(inside.length, "file")} in ${folder}/`]
  );
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}

/** A step to take, as it is typed, and what it does. */
type Step = readonly [typed: string, what: string];

function planSteps({ config, isUnusual, site, upptimeRecords, files }: FirstSteps): string[] {
  const usual = isUnusual ? ` --config ${shellWord(config)}` : "";
  const look: Step[] = site === undefined
    ? []
    : [[`check ${shellWord(site)}${usual}`, "checks it once and writes nothing"]];
  const rows: Step[] = [
    ...look,
    [`validate${usual}`, "shows what would be monitored, how often, and at what cost"],
    upptimeRecords === 0
      ? [`update${usual}`, "checks everything and records the history"]
      : [`update --fresh${usual}`, freshStart(upptimeRecords)],
    ...files.length > 1 ? listNextSteps(files, upptimeRecords) : stepsAlone(config),
  ];
  const width = Math.min(WIDEST_STEP, Math.max(...rows.map(([step]) => textWidth(step))));
  return rows.map(([step, what]) =>
    `  ${step}${" ".repeat(Math.max(0, width - textWidth(step)))}  ${what}`
  );
}

function freshStart(records: number): string {
  return `starts a new history without what Upptime recorded of ${
    count(records, "site")
  }; its files stay, and until then every command that writes stops`;
}

/** Lists the steps after all files were written. */
function listNextSteps(files: FirstSteps["files"], upptimeRecords: number): Step[] {
  const hasWorkflows = files.some(({ path }) => path.startsWith(`${WORKFLOW_FOLDER}/`));
  const push = upptimeRecords > 0
    ? "then commit and push, after the fresh start: without it, Setup CI stops"
    : "then commit and push: Setup CI does the rest on GitHub";
  return [
    ...upptimeRecords > 0
      ? []
      : [["serve", "shows the status page on this machine"] satisfies Step],
    [
      "git add --all",
      hasWorkflows ? push : "then commit; workflows only work at the top of a repository",
    ],
    ["doctor", "reports what is still missing and how to fix it"],
  ];
}

function stepsAlone(config: string): Step[] {
  return [[`git add ${shellWord(config)}`, "then commit, so that the scheduled job finds it"]];
}

/** Columns that a step may take before the words behind it are no longer aligned. */
const WIDEST_STEP = 30;

/** Quotes a text as one word of a shell that means nothing but itself. */
function shellWord(text: string): string {
  return /^[\w./:-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

const HEAD = `# yaml-language-server: $schema=${SCHEMA_ADDRESS}
# With the line above, editors complete and check the keys.
# Lines such as "#key: value" are examples: remove the # to use them.

# Sites to monitor.
sites:
`;

const EXAMPLES = `    #maxResponseTime: 2s # slower is degraded; default 30 s
    #expectedStatusCodes: [200, 204] # up; default 200-208, 226, 300-308 and 429
    #headers: ["Authorization: Bearer $API_TOKEN"] # $API_TOKEN is a repository secret
`;

const TAIL = `
# Notification channels.
#notifications:
#  - type: slack
#    webhook-url: $SLACK_WEBHOOK_URL
#    on: [down, up]

# Schedule of the checks; default every 5 minutes, which is billed in a private repository.
#workflowSchedule:
#  uptime: "*/15 * * * *"

# The status page.
#status-website:
#  name: Status
#  cname: status.example.com
`;

/** An address that means itself without quotes, which the writer of YAML puts around every colon. */
const QUOTED = /^( *(?:- )?[a-z]+: )'([a-z][\w.-]*(?::\/\/[\w.:/-]*[\w/-]|:\d+))'$/i;

/** Writes a first configuration, with the keys that people want next as examples in comments. */
export function firstConfig(sites: readonly FirstSite[]): string {
  const first = sites.findIndex(({ check }) => check === undefined);
  const items = sites.map((site, index) => {
    const lines = stringify([site], { lineWidth: -1 }).trimEnd().split("\n");
    const item = lines.map((line) => `  ${line.replace(QUOTED, "$1$2")}\n`).join("");
    return index === first ? item + EXAMPLES : item;
  });
  return HEAD + items.join("") + TAIL;
}
