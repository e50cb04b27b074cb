import { GLOBAL_OPTIONS, type OptionTable } from "../../lib/text/arguments.ts";
import { wrap } from "../../lib/text/wrap.ts";
import { VERSION } from "../../lib/version.ts";
import { formatCommand } from "../../lib/text/invocation.ts";

/** Groups of commands in the overview; a command without one is only named there. */
const GROUPS = ["Start", "Run", "Look"] as const;

export interface CommandHelp {
  help: string;
  group?: typeof GROUPS[number];
  takes?: string;
  /** Words and options of a typical command line. */
  example: string;
  /** Options besides the global ones. */
  options?: OptionTable;
}

const WIDTH = 80;
/** Columns of an option or command, with the blanks around it. */
const LEFT = 19;

/** Renders the overview of all commands, which fits a screen of 24 lines. */
export function overviewText(commands: Readonly<Record<string, CommandHelp>>): string {
  const entries = Object.entries(commands);
  const others = entries.filter(([, { group }]) => group === undefined).map(([name]) => name);
  return [
    `Monitor Action ${VERSION}: uptime monitoring in a repository, without a server`,
    "",
    ...GROUPS.flatMap((wanted) => [
      wanted,
      ...entries.filter(([, { group }]) => group === wanted)
        .flatMap(([name, { help }]) => row(name, help)),
    ]),
    ...row("More", others.join(", "), ""),
    "",
    `${formatCommand("COMMAND --help")} lists its options; ${
      formatCommand("demo")
    } shows a complete example.`,
  ].join("\n");
}

export function commandText(
  name: string,
  { help, takes, example, options = {} }: CommandHelp,
): string {
  const table = (rows: OptionTable) => Object.entries(rows).flatMap((one) => row(...one));
  return [
    ...wrap(`${formatCommand(name)}${takes === undefined ? "" : ` ${takes}`}: ${help}`, WIDTH),
    "",
    "Example:",
    `  ${formatCommand(name)} ${example}`.trimEnd(),
    ...Object.keys(options).length === 0 ? [] : ["", "Options:", ...table(options)],
    "",
    "Options of every command:",
    ...table(GLOBAL_OPTIONS),
  ].join("\n");
}

/** A word with its meaning beside it; a long word has a line of its own. */
function row(left: string, right: string, indent = "  "): string[] {
  const [first = "", ...others] = wrap(right, WIDTH - LEFT);
  const start = `${indent}${left} `;
  const head = start.length <= LEFT ? [start.padEnd(LEFT) + first] : [
    start.trimEnd(),
    " ".repeat(LEFT) + first,
  ];
  return [...head, ...others.map((line) => " ".repeat(LEFT) + line)];
}
