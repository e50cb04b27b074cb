import { dirname, join } from "node:path";
import { cutOffFiles } from "./cut_off_files.ts";
import type { Git } from "./git.ts";
import type { Repository } from "./repository.ts";

/** A file that differs between two trees; a name is all zeros where a side does not have it. */
interface ChangedFile {
  path: string;
  mode: string;
  before: string;
  after: string;
}

/**
 * Brings index and work tree from a commit (or a tree) to another commit, file by file: what the user
 * has staged or edited stays as it is. Returns the paths left alone. Doing it again, or what is left of
 * it, changes nothing; what an attempt on the way to a commit in between has written is brought along.
 * `isResumed` says that there was such an attempt, which may have been killed while it wrote a file.
 */
export async function followTree(
  { git, top, prefix }: Repository,
  from: string,
  to: string,
  { isResumed }: { isResumed: boolean },
): Promise<string[]> {
  const changed = await changedFiles(git, from, to);
  const indexed = await indexedFiles(git, changed);
  const present = await presentFiles(git, looker(top, prefix), changed);
  const between = await filesBetween(git, from, to);
  const isOurs = (blob: string | undefined, { path, before, after }: ChangedFile) =>
    same(blob, before) || same(blob, after) || between.has(`${blob} ${path}`);
  const ours = changed.filter((file) => isOurs(indexed.get(file.path)?.blob, file));
  const isUsers = (file: ChangedFile) => !isOurs(present.get(file.path), file);
  const doubtful = ours.filter((file) => isUsers(file) && present.get(file.path) !== NOT_A_FILE);
  const cutOff = isResumed ? await cutOffFiles({ git, top }, doubtful) : new Set<string>();
  const writable = ours.filter((file) =>
    (!isUsers(file) || cutOff.has(file.path)) &&
    !same(present.get(file.path), file.after) && !indexed.get(file.path)?.skipped
  );
  const skipped = ours.filter(({ path }) => indexed.get(path)?.skipped);

  const entries = ours.map(({ mode, after, path }) =>
    `${same(after, undefined) ? "0" : mode} ${after}\t${path}\0`
  );
  await git.run(["update-index", "-z", "--index-info"], { input: entries.join("") });
  await git.run(["update-index", "-z", "--skip-worktree", "--stdin"], { input: listed(skipped) });
  const kept = writable.filter(({ after }) => !same(after, undefined));
  await git.run(["checkout-index", "-f", "-u", "-z", "--stdin"], { input: listed(kept) });
  for (const { path } of writable.filter((file) => !kept.includes(file))) {
    await Deno.remove(join(top, path));
  }

  const done = new Set([...writable, ...skipped].map(({ path }) => path));
  const settled = ({ path, after }: ChangedFile) =>
    done.has(path) || same(present.get(path), after);
  return changed.filter((file) => !settled(file)).map(({ path }) => path);
}

/** Whether two names of a file's content agree, where none and all zeros both mean that there is no file. */
function same(one: string | undefined, other: string | undefined): boolean {
  const absent = (blob: string | undefined) => blob === undefined || /^0+$/.test(blob);
  return one === other || (absent(one) && absent(other));
}

function listed(files: readonly ChangedFile[]): string {
  return files.map(({ path }) => `${path}\0`).join("");
}

async function changedFiles(git: Git, from: string, to: string): Promise<ChangedFile[]> {
  const output = await git.text(["diff-tree", "-r", "-z", "--no-renames", from, to]);
  const fields = output.split("\0");
  const files: ChangedFile[] = [];
  for (let index = 0; index + 1 < fields.length; index += 2) {
    const [, mode, before, after] = fields[index]!.split(" ");
    files.push({ path: fields[index + 1]!, mode: mode!, before: before!, after: after! });
  }
  return files;
}

/** Each content that a file had in a commit after `from`, up to `to`, as `blob path`. */
async function filesBetween(git: Git, from: string, to: string): Promise<Set<string>> {
  const output = await git.text([
    "log",
    "--format=",
    "--raw",
    "-m",
    "-z",
    "--no-abbrev",
    "--no-renames",
    `^${from}`,
    to,
  ]);
  const files = output.matchAll(/:\d+ \d+ [0-9a-f]+ ([0-9a-f]+) \w+\0([^\0]+)\0/g);
  return new Set([...files].map(([, blob, path]) => `${blob} ${path}`));
}

async function indexedFiles(git: Git, changed: readonly ChangedFile[]) {
  const wanted = new Set(changed.map(({ path }) => path));
  const files = new Map<string, { blob?: string; skipped: boolean }>();
  for (const line of (await git.text(["ls-files", "-s", "-t", "-z"])).split("\0")) {
    const [, tag, blob, path] = /^(\S) \d+ (\S+) \d\t(.*)$/s.exec(line) ?? [];
    if (path !== undefined && wanted.has(path)) files.set(path, { blob, skipped: tag === "S" });
  }
  return files;
}

/** Stands for what is neither a plain file nor absent; it is the user's, and no content of ours. */
const NOT_A_FILE = "not a file";

/** Contents in the work tree by path; paths at which there is nothing are missing. */
async function presentFiles(
  git: Git,
  look: (path: string) => Promise<Kind>,
  changed: readonly ChangedFile[],
) {
  const present = new Map<string, string>();
  const paths: string[] = [];
  const kinds = await Promise.all(
    changed.map(({ path }) => path.includes("\n") ? NOT_A_FILE : look(path)),
  );
  changed.forEach(({ path }, index) => {
    if (kinds[index] === "file") paths.push(path);
    else if (kinds[index] !== "absent") present.set(path, NOT_A_FILE);
  });
  if (paths.length === 0) return present;
  const output = await git.text(["hash-object", "--stdin-paths"], {
    input: paths.join("\n") + "\n",
  });
  const blobs = output.split("\n");
  paths.forEach((path, index) => present.set(path, blobs[index]!));
  return present;
}

type Kind = "file" | "folder" | "absent" | typeof NOT_A_FILE;

/**
 * Looks up what stands at paths, each folder on the way once. A link or a file in place of a folder is
 * the user's as well. The folders above the monitored one, which a task may not read, are what they seem.
 */
function looker(top: string, prefix: string): (path: string) => Promise<Kind> {
  const folders = new Map<string, Promise<Kind>>();
  for (let folder = dirname(`${prefix}.`); !folders.has(folder); folder = dirname(folder)) {
    folders.set(folder, Promise.resolve("folder"));
  }
  const look = async (path: string): Promise<Kind> => {
    const parent = dirname(path);
    const above = folders.get(parent) ?? look(parent);
    folders.set(parent, above);
    const kind = await above;
    if (kind !== "folder") return kind === "absent" ? "absent" : NOT_A_FILE;
    return await kindAt(join(top, path));
  };
  return look;
}

async function kindAt(path: string): Promise<Kind> {
  try {
    const { isFile, isDirectory } = await Deno.lstat(path);
    if (isFile) return "file";
    return isDirectory ? "folder" : NOT_A_FILE;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return "absent";
    throw error;
  }
}
