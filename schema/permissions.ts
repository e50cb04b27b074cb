/** The permissions of the commands, as `deno.json` grants them by sets and by flags of the tasks. */

/** Kinds of permission in a set; `read` and `write` are granted by flags only. */
const KINDS = ["net", "run", "env", "sys", "ffi", "read", "write"] as const;

type Kind = typeof KINDS[number];

/** Everything of a kind, or what is allowed of it; nothing if the kind is absent. */
export type Permissions = Partial<Record<Kind, true | readonly string[]>>;

/** The parts of `deno.json` that grant permissions. */
interface Manifest {
  permissions: Record<string, Record<string, unknown>>;
  tasks: Record<string, { command: string }>;
}

/**
 * The permissions of each task that runs the program. A flag replaces its kind of the set.
 *
 * @throws {Error} If a task names an unknown set, or a set has an unknown field.
 */
export function taskPermissions({ permissions, tasks }: Manifest): Map<string, Permissions> {
  const sets = new Map(
    Object.entries(permissions).map(([name, set]) => [name, setPermissions(name, set)]),
  );
  const found = Object.entries(tasks).flatMap(([task, { command }]) => {
    const [flags, ...words] = command.replaceAll('"', "").split(" main.ts ");
    if (words.length === 0) return [];
    const name = / -P=(\S+)/.exec(flags!)?.[1] ?? "";
    const set = sets.get(name);
    if (set === undefined) throw new Error(`Task ${task}: permission set "${name}" is unknown`);
    const granted: Permissions = { ...set };
    for (const [, kind, values] of flags!.matchAll(/ --allow-(\w+)(?:=(\S+))?/g)) {
      granted[knownKind(kind!, `task ${task}`)] = values?.split(",") ?? true;
    }
    return [[task, granted] as const];
  });
  return new Map(found);
}

function setPermissions(name: string, set: Record<string, unknown>): Permissions {
  const entries = Object.entries(set).map(([field, value]) => {
    const kind = knownKind(field, `permission set ${name}`);
    if (kind !== "env") return [kind, value];
    const { allow, ignore, ...rest } = value as { allow: string[]; ignore: boolean };
    if (ignore !== true || Object.keys(rest).length > 0) {
      throw new Error(`Permission set ${name}: env needs "allow" and "ignore": true`);
    }
    return [kind, allow];
  });
  return Object.fromEntries(entries);
}

function knownKind(kind: string, place: string): Kind {
  const known = KINDS.find((one) => one === kind);
  if (known === undefined) throw new Error(`${place}: permission "${kind}" is unknown`);
  return known;
}

/** Name of a task that runs a command with the permission to run ping as well. */
export const WITH_PING = /-with-ping$/;

/** The permissions as Markdown: a table of the commands, and a list of the variables. */
export function permissionReference(manifest: Manifest): string {
  const tasks = [...taskPermissions(manifest)];
  const rows = tasks.map(([task, { net, read, write, run, sys, ffi }]) => [
    `\`${task}\``,
    words(net, "any host"),
    words(read, "any file"),
    words(write, "any file"),
    words(run, "any program"),
    words(sys, "everything"),
    ffi === true ? "yes" : "no",
  ]);
  const head = [
    "command",
    "network",
    "reads",
    "writes",
    "runs",
    "system information",
    "native code",
  ];
  const table = [head, head.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`);
  const heading = "Variables of the environment, and the commands that may read them:";
  // Those with ping read the same variables.
  const commands = tasks.filter(([task]) => !WITH_PING.test(task));
  return [...table, "", heading, "", ...variableLines(commands)].join("\n");
}

function words(allowed: true | readonly string[] | undefined, all: string): string {
  if (allowed === undefined) return "nothing";
  if (allowed === true) return all;
  return allowed.map((one) => one === "$INIT_CWD" ? "the folder" : `\`${one}\``).join(", ");
}

/** One line for the variables that the same commands may read. */
function variableLines(tasks: readonly (readonly [string, Permissions])[]): string[] {
  const readers = new Map<string, string[]>();
  for (const [task, { env }] of tasks) {
    for (const name of env === true ? ["every variable"] : env ?? []) {
      readers.set(name, [...readers.get(name) ?? [], task]);
    }
  }
  const names = tasks.map(([task]) => task);
  const groups = Map.groupBy(readers, ([, commands]) => {
    const others = names.filter((name) => !commands.includes(name));
    const listed = (list: string[]) => list.map((name) => `\`${name}\``).join(", ");
    if (others.length === 0) return "all commands";
    return others.length < commands.length ? `all but ${listed(others)}` : listed(commands);
  });
  return [...groups].map(([commands, variables]) =>
    `- ${variables.map(([name]) => `\`${name}\``).join(", ")}: ${commands}.`
  );
}
