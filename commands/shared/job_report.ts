import { resolve } from "node:path";
import { escapeMarkdown, notesList } from "../../templates/markdown/markdown.ts";
import type { Context } from "./context.ts";
import { Git, NoGitError } from "../../lib/git/git.ts";
import { folderWorkspace } from "../../lib/io/workspace.ts";

interface JobReport {
  outputs: Readonly<Record<string, string>>;
  /** Called only if there is a job that shows it. */
  summary(): string;
}

/** Prints a result as text and as data. A job shows the first line of the text, the notes, and the rest of it. */
export async function reportResult(
  text: string,
  data: unknown,
  context: Context,
  { notes = [], outputs = {} }: {
    notes?: readonly string[];
    outputs?: Readonly<Record<string, string>>;
  } = {},
): Promise<void> {
  context.log.line(text);
  if (context.json) context.log.data(data);
  const [title = "", ...rest] = text.split("\n");
  const details = rest.length === 0 ? [] : [`Details\n\n${rest.join("\n").trim()}`];
  const summary = () => `### ${escapeMarkdown(title)}\n${notesList([...notes, ...details])}`;
  await publishJobReport({ outputs, summary }, context);
}

export async function publishJobReport(
  job: JobReport,
  { environment, dryRun, root, log, secrets }: Pick<
    Context,
    "environment" | "dryRun" | "root" | "log" | "secrets"
  >,
): Promise<void> {
  if (!environment.onGitHub || dryRun) return;
  const summary = secrets.redact(job.summary());
  const obstacle = await writeJobReport(root, job.outputs, summary);
  if (obstacle === undefined) return;
  log.warn(`later steps get no outputs, and the job no summary: ${obstacle}`);
}

/** Writes them to `.git/monitor`, from which a step of the action copies them; returns the reason if that fails. */
async function writeJobReport(
  root: string,
  outputs: JobReport["outputs"],
  summary: string,
): Promise<string | undefined> {
  const lines = Object.entries(outputs).map(([name, value]) => `${name}=${value}\n`);
  try {
    const place = await new Git(root).maybe([
      "rev-parse",
      "--is-inside-work-tree",
      "--git-path",
      "monitor",
    ]);
    const [inside, path] = place?.split("\n") ?? [];
    if (inside !== "true" || path === undefined) return "this folder is not in a git work tree";
    const folder = folderWorkspace(resolve(root, path));
    await folder.write("outputs", lines.join(""));
    await folder.write("summary.md", summary);
  } catch (error) {
    if (error instanceof NoGitError) return "git is not on the PATH";
    if (!(error instanceof Deno.errors.NotCapable)) throw error;
    return "the .git folder is outside the folder in which this program may write";
  }
}
