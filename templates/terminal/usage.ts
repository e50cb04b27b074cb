import { OPTIONS } from "../../lib/text/arguments.ts";
import { VERSION } from "../../lib/version.ts";

/** What the help says of a command. */
export interface CommandHelp {
  help: string;
  /** What the words after the command name; absent where it takes none. */
  takes?: string;
}

/** The help of the program; that of one command where there is one of the name. */
export function usageText(
  commands: Readonly<Record<string, CommandHelp>>,
  name: string | undefined,
): string {
  const known = name !== undefined && Object.hasOwn(commands, name) ? commands[name] : undefined;
  const table = (rows: Readonly<Record<string, string>>) =>
    Object.entries(rows).map(([left, right]) => `  ${left.padEnd(17)}${right}\n`).join("");
  const helps = Object.fromEntries(
    Object.entries(commands).map(([key, { help, takes = "" }]) => [`${key} ${takes}`, help]),
  );
  const head = known === undefined
    ? `Monitor Action ${VERSION}: uptime monitoring in a repository, without a server\n\nCommands:\n${
      table(helps)
    }`
    : `monitor ${[name, known.takes ?? []].flat().join(" ")}: ${known.help}\n`;
  return `${head}\nOptions:\n${table(OPTIONS)}`.trimEnd();
}
