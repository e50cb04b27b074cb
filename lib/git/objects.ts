import { type Git, GitError } from "./git.ts";

/** Texts of blobs, given their names; `undefined` for what is no blob. */
export async function readBlobs(
  git: Git,
  names: readonly string[],
): Promise<(string | undefined)[]> {
  const decoder = new TextDecoder();
  const contents = await readContents(git, names);
  return contents.map((content) => content && decoder.decode(content));
}

/** Contents of blobs, given their names; `undefined` for what is no blob. */
export async function readContents(
  git: Git,
  names: readonly string[],
): Promise<(Uint8Array | undefined)[]> {
  const input = names.map((name) => `${name}\n`).join("");
  const { stdout } = await git.run(["cat-file", "--batch"], { input });
  const decoder = new TextDecoder();
  let offset = 0;
  return names.map(() => {
    const end = stdout.indexOf(0x0a, offset);
    const header = decoder.decode(stdout.subarray(offset, end));
    offset = end + 1;
    const [, type, size] = /^[0-9a-f]+ (\w+) (\d+)$/.exec(header) ?? [];
    if (size === undefined) return undefined;
    const content = stdout.subarray(offset, offset + Number(size));
    offset += Number(size) + 1;
    return type === "blob" ? content : undefined;
  });
}

/**
 * What is in a folder of a commit, or at its top: names of objects, by the names of files and folders, without links;
 * nothing where it has no such folder.
 */
export async function listFolder(
  git: Git,
  commit: string,
  folder: string,
): Promise<Map<string, string>> {
  const within = folder === "" ? "" : `${folder.replace(/\/$/, "")}/`;
  const where = within === "" ? [] : [within];
  const output = await git.text(["ls-tree", "-z", "--full-tree", commit, "--", ...where]);
  const entries = new Map<string, string>();
  for (const line of output.split("\0")) {
    const [, name, path] = /^(?!120000)\d+ \w+ ([0-9a-f]+)\t(.*)$/s.exec(line) ?? [];
    if (path !== undefined) entries.set(path.slice(within.length), name!);
  }
  return entries;
}

/** Names of all blobs of a commit, by path; of those in one folder, and the folders in it, where one is given. */
export async function listBlobs(
  git: Git,
  commit: string,
  folder?: string,
): Promise<Map<string, string>> {
  const where = folder === undefined ? [] : [`${folder}/`];
  const output = await git.text(["ls-tree", "-r", "-z", "--full-tree", commit, ...where]);
  const lines = output.split("\0");
  const blobs = new Map<string, string>();
  for (const line of lines) {
    const [, name, path] = /^\d+ blob ([0-9a-f]+)\t(.*)$/s.exec(line) ?? [];
    if (path !== undefined) blobs.set(path, name!);
  }
  return blobs;
}

/** Who makes a commit. */
export interface Author {
  name: string;
  email: string;
  /** Whether its message ends by signing it off. */
  signsOff?: boolean;
}

/** A commit to be made. */
export interface NewCommit {
  /** The commit it is built on; absent where there is none. */
  parent?: string;
  /** Names of blobs that it holds beside, by path; for a commit without a parent. */
  blobs?: ReadonlyMap<string, string>;
  /** Contents of the files it changes, by path; `null` for one that it removes. */
  files: ReadonlyMap<string, string | Uint8Array | null>;
  message: string;
}

/** What commits that are made together have in common. */
export interface CommitOptions {
  author: Author;
  time: Temporal.Instant;
  /** Tells these commits from others that are being made at the same time. */
  id: string;
}

/** Where a commit is known for the moment in which it is made. */
const BUILD = "refs/monitor/build";

/** Forgets commits that killed runs were making. */
export async function forgetCommits(git: Git): Promise<void> {
  await forget(git, await refsUnder(git, BUILD));
}

/**
 * Makes commits without an index, a work tree, hooks or signing, and returns their names. Nothing
 * refers to them yet.
 */
export async function makeCommits(
  git: Git,
  commits: readonly NewCommit[],
  { author, time, id }: CommitOptions,
): Promise<string[]> {
  const refs = commits.map((_, index) => `${BUILD}/${id}/${index}`);
  const seconds = Math.floor(time.epochMilliseconds / 1000);
  const clean = (text: string) => text.replace(/[<>\n\0]/g, "").trim();
  const person = `${clean(author.name)} <${clean(author.email)}>`;
  const committer = `committer ${person} ${seconds} +0000\n`;
  const end = author.signsOff ? `\n\nSigned-off-by: ${person}` : "";
  const parts = commits.map(({ parent, blobs = new Map(), files, message }, index) => [
    `commit ${refs[index]}\nmark :${index + 1}\n`,
    committer,
    ...data(message + end),
    parent === undefined ? "" : `from ${parent}\n`,
    ...[...blobs].map(([path, blob]) => `M 100644 ${blob} ${quoted(path)}\n`),
    ...[...files].flatMap(([path, content]) =>
      content === null ? removal(path) : addition(path, content)
    ),
  ]);
  const marks = refs.map((_, index) => `get-mark :${index + 1}\n`);
  const input = ["feature done\n", ...parts.flat(), ...marks, "done\n"];
  try {
    const names = await git.text(["fast-import", "--quiet", "--date-format=raw", "--force"], {
      input,
    });
    return names.trim().split("\n");
  } finally {
    await forget(git, refs);
  }
}

async function refsUnder(git: Git, folder: string): Promise<string[]> {
  const refs = await git.text(["for-each-ref", "--format=%(refname)", folder]);
  return refs.split("\n").filter((name) => name !== "");
}

/** Deletes refs, also where some of them are gone already. Those that are locked are left to a later run. */
async function forget(git: Git, refs: readonly string[]): Promise<void> {
  if (refs.length === 0) return;
  const input = refs.map((ref) => `delete ${ref}\n`).join("");
  try {
    await git.run(["update-ref", "--stdin"], { input, accept: [1, 128], attempts: 3 });
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
  }
}

function addition(path: string, content: string | Uint8Array): (string | Uint8Array)[] {
  return [`M 100644 inline ${quoted(path)}\n`, ...data(content)];
}

function removal(path: string): string {
  return `D ${quoted(path)}\n`;
}

function data(content: string | Uint8Array): (string | Uint8Array)[] {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  return [`data ${bytes.length}\n`, content, "\n"];
}

function quoted(path: string): string {
  return `"${path.replace(/[\\"]/g, "\\$&").replaceAll("\n", "\\n")}"`;
}
