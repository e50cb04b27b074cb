/** The demo: local sites change, and a scratch repository records it. */
import { join } from "node:path";
import { paint, renderPaint, withPaint } from "../../lib/text/paint.ts";
import { terminalColumns } from "../../lib/io/terminal.ts";
import { FEWEST_COLUMNS, wrapLine } from "../../lib/text/wrap.ts";
import { cleanEnvironment } from "../helpers/clean_environment.ts";
import { git, makeRemote, makeScratch } from "../helpers/scratch.ts";
import { API_TOKEN, startSites } from "./sites.ts";

const HISTORY = [
  "history/shop.yml",
  "history/incidents/*-shop.yml",
  "history/checks/*.csv",
  "api/shop/uptime.json",
];

/** Commands that make something of the checks. */
const EVALUATION = {
  "response-time": "Statistics and badges for other programs",
  "status": "The status of all sites",
  "incidents": "Incidents and maintenance",
  "graphs": "Graphs, on a branch of their own",
  "site": "The status page",
};

/** Exit codes of a program that a signal ends, as shells have them. */
const EXIT_CODES = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 };
type Signal = keyof typeof EXIT_CODES;
const SIGNALS = Object.keys(EXIT_CODES) as Signal[];

/** Aborted by the first signal, with its name as the reason. */
const stop = new AbortController();

async function demo(): Promise<number> {
  if (["--help", "-h"].some((help) => Deno.args.includes(help))) {
    say("monitor demo: show a complete example with local sites and a scratch repository\n");
    say("Example:\n  monitor demo --serve\n");
    say("Options:\n  --serve            serve the status page at the end");
    return 0;
  }
  const wrong = Deno.args.find((arg) => arg !== "--serve");
  if (wrong !== undefined) {
    say(`error: Cannot understand ${wrong}: monitor demo takes only the option --serve`);
    return 2;
  }
  await using scratch = await makeScratch("monitor-demo-");
  await using sites = await startSites();
  const remote = await makeRemote(scratch.path, {
    ".monitorrc.yml": sites.config,
    "authority.pem": sites.authority,
  });
  const folder = join(scratch.path, "status");
  await git(scratch.path, "clone", "--quiet", "--depth", "1", `file://${remote}`, folder);

  title("A repository with one file: the configuration");
  say(indented(sites.config.trimEnd()));

  const story = [
    { words: "the first checks", shop: true, forum: true },
    { words: "the shop fails (in real use, five minutes later)", shop: false, forum: true },
    {
      words: "the shop is still down, and the forum drops its connections",
      shop: false,
      forum: false,
    },
    { words: "both are up again", shop: true, forum: true },
    { words: "the forum fails again", shop: true, forum: false },
    {
      words: "the forum is still down, as expected",
      maintenance: ["Forum", "--for", "30m", "--reason", "New disks"],
      shop: true,
      forum: false,
    },
    {
      words: "nothing changes, so the checks wait for the hourly commit",
      shop: true,
      forum: false,
    },
  ];
  for (const [index, { words, maintenance, shop, forum }] of story.entries()) {
    if (maintenance !== undefined) {
      title("Maintenance, so that no alerts are sent");
      const { code } = await run("maintenance", folder, ["start", ...maintenance]);
      if (code !== 0) return code;
    }
    sites.shopWorks = shop;
    sites.forumWorks = forum;
    title(`Run ${index + 1}: ${words}`);
    const { code } = await run("update", folder);
    if (code !== 0) return code;
    for (const text of sites.inbox.splice(0)) say(`${paint.cyan("✉")} ${text}`);
  }
  title("The run state, and what waits for the next commit");
  const { code } = await run("state", folder);
  if (code !== 0) return code;

  for (const [task, words] of Object.entries(EVALUATION)) {
    title(words);
    const { code } = await run(task, folder);
    if (code !== 0) return code;
  }

  title("What the repository contains");
  for (const pattern of HISTORY) {
    for (const path of (await git(folder, "ls-files", pattern)).split("\n")) {
      const lines = (await Deno.readTextFile(join(folder, path))).trimEnd().split("\n");
      say(`${paint.cyan(path)}\n${indented(excerpt(lines).join("\n"))}\n`);
    }
  }
  say(
    `${paint.cyan("git log")} of the remote\n${
      indented(await git(remote, "log", "--oneline", "--no-decorate", "main"))
    }`,
  );
  const pictures = (await git(remote, "ls-tree", "-r", "--name-only", "monitor-graphs")).split(
    "\n",
  );
  say(`\n${paint.cyan("monitor-graphs")} of the remote\n${indented(excerpt(pictures).join("\n"))}`);
  if (Deno.args.includes("--serve")) {
    const code = await serve(folder);
    if (code !== 0) return code;
  }
  title("Next step: init");
  say(
    indented(
      "In a new repository, this writes a configuration, the workflows and a README:\n\n" +
        "monitor init https://example.com\n\n" +
        "monitor is bin/monitor in a clone of the project, or npx monitor-action@latest.\n" +
        "docs/getting-started.md explains the next steps.",
    ),
  );
  return !Deno.args.includes("--serve") && await wantsPage() ? await serve(folder) : 0;
}

async function serve(folder: string): Promise<number> {
  title("The status page, until you press Ctrl-C");
  return (await run("serve", folder, ["--port", "0"])).code;
}

/** Asks a person at the terminal: only Enter alone means yes. */
async function wantsPage(): Promise<boolean> {
  if (!Deno.stdin.isTerminal() || !Deno.stdout.isTerminal()) return false;
  write("\nEnter serves the status page, anything else ends the demo. ");
  const answer = new Uint8Array(1024);
  const stopped = Promise.withResolvers<null>();
  stop.signal.addEventListener("abort", () => stopped.resolve(null));
  const length = await Promise.race([Deno.stdin.read(answer), stopped.promise]);
  const isEnter = length !== null &&
    /^\r?\n$/.test(new TextDecoder().decode(answer.subarray(0, length)));
  if (length === null) say("");
  return isEnter;
}

/** Runs a task in a process group of its own, and passes on the signal that ends the demo. */
async function run(
  task: string,
  folder: string,
  args: readonly string[] = [],
): Promise<Deno.CommandStatus> {
  stop.signal.throwIfAborted();
  const { NO_COLOR: _, ...environment } = cleanEnvironment();
  const plain = Deno.env.get("NO_COLOR");
  const child = new Deno.Command(Deno.execPath(), {
    // A task starts in the folder of its configuration, also that of the bundle.
    args: ["task", "--quiet", "--config", join(Deno.cwd(), "deno.json"), task, ...args],
    cwd: folder,
    clearEnv: true,
    env: {
      ...environment,
      ...(plain === undefined ? {} : { NO_COLOR: plain }),
      INIT_CWD: folder,
      SECRETS_CONTEXT: JSON.stringify({ API_TOKEN }),
    },
    stdin: "null",
    detached: true,
  }).spawn();
  const pass = () => Deno.kill(-child.pid, stop.signal.reason);
  stop.signal.addEventListener("abort", pass);
  const status = await child.status;
  stop.signal.removeEventListener("abort", pass);
  // A signal is how serving ends.
  if (task !== "serve") stop.signal.throwIfAborted();
  return status;
}

/** Header and last lines of a long file. */
function excerpt(lines: readonly string[]): readonly string[] {
  const LAST = 9;
  return lines.length <= LAST + 2 ? lines : [lines[0]!, "…", ...lines.slice(-LAST)];
}

function title(text: string): void {
  say(`\n${paint.cyan("━━")} ${text}\n`);
}

function indented(text: string): string {
  return text.replaceAll(/^/gm, "  ");
}

function say(text: string): void {
  const columns = terminalColumns("stdout");
  const lines = columns === undefined
    ? text
    : text.split("\n").flatMap((line) => wrapLine(line, Math.max(FEWEST_COLUMNS, columns))).join(
      "\n",
    );
  write(`${renderPaint(lines)}\n`);
}

function write(text: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(text));
}

/** The demo's exit code; its folders are gone by then, also after a signal. */
async function exitCode(): Promise<number> {
  for (const name of SIGNALS) Deno.addSignalListener(name, () => stop.abort(name));
  try {
    return await demo();
  } catch (error) {
    // A process ended by a signal may fail in any way.
    if (!stop.signal.aborted) throw error;
    return EXIT_CODES[stop.signal.reason as Signal];
  }
}

const colors = Deno.stdout.isTerminal() && !Deno.env.get("NO_COLOR");
Deno.exit(await withPaint(colors, exitCode));
