import type { Git } from "./git.ts";

/** Texts of files as they stand in a commit, by path; those it does not have are missing. */
export async function readFiles(
  git: Git,
  commit: string,
  paths: readonly string[],
): Promise<Map<string, string>> {
  const input = paths.map((path) => `${commit}:${path}\n`).join("");
  const { stdout } = await git.run(["cat-file", "--batch"], { input });
  const files = new Map<string, string>();
  const decoder = new TextDecoder();
  let offset = 0;
  for (const path of paths) {
    const end = stdout.indexOf(0x0a, offset);
    const header = decoder.decode(stdout.subarray(offset, end));
    offset = end + 1;
    const [, type, size] = /^[0-9a-f]+ (\w+) (\d+)$/.exec(header) ?? [];
    if (size === undefined) continue;
    const content = stdout.subarray(offset, offset + Number(size));
    if (type === "blob") files.set(path, decoder.decode(content));
    offset += Number(size) + 1;
  }
  return files;
}

/** Names of the files in a folder of a commit; none where it has no such folder. */
export async function listFolder(git: Git, commit: string, folder: string): Promise<string[]> {
  const output = await git.text([
    "ls-tree",
    "-z",
    "--name-only",
    "--full-tree",
    commit,
    `${folder}/`,
  ]);
  return output.split("\0").filter((path) => path !== "").map((path) =>
    path.slice(folder.length + 1)
  );
}

/** Who makes a commit. */
export interface Author {
  name: string;
  email: string;
}

/** A commit to be made. */
export interface NewCommit {
  /** The commit it is built on; absent in a repository that has none. */
  parent?: string;
  /** Texts of the files it changes, by path. */
  files: ReadonlyMap<string, string>;
  message: string;
  author: Author;
  time: Temporal.Instant;
  /** Tells this commit from others that are being made at the same time. */
  id: string;
}

/** Where a commit is known for the moment in which it is made. */
const BUILD = "refs/monitor/build";

/** Forgets commits that killed runs were making. */
export async function forgetCommits(git: Git): Promise<void> {
  const refs = await git.text(["for-each-ref", "--format=%(refname)", BUILD]);
  for (const ref of refs.split("\n").filter((name) => name !== "")) {
    await git.run(["update-ref", "-d", ref], { accept: [1, 128] });
  }
}

/**
 * Makes a commit without an index, a work tree, hooks or signing, and returns its name. Nothing
 * refers to it yet.
 */
export async function makeCommit(git: Git, commit: NewCommit): Promise<string> {
  const ref = `${BUILD}/${commit.id}`;
  const seconds = Math.floor(commit.time.epochMilliseconds / 1000);
  const clean = (text: string) => text.replace(/[<>\n\0]/g, "").trim();
  const files = [...commit.files].map(([path, text]) =>
    `M 100644 inline ${quoted(path)}\n${data(text)}`
  );
  const input = [
    "feature done\n",
    `commit ${ref}\nmark :1\n`,
    `committer ${clean(commit.author.name)} <${clean(commit.author.email)}> ${seconds} +0000\n`,
    data(commit.message),
    commit.parent === undefined ? "" : `from ${commit.parent}\n`,
    ...files,
    "get-mark :1\ndone\n",
  ].join("");
  try {
    return (await git.text(["fast-import", "--quiet", "--date-format=raw", "--force"], { input }))
      .trim();
  } finally {
    await git.run(["update-ref", "-d", ref], { accept: [1, 128] });
  }
}

function data(text: string): string {
  return `data ${new TextEncoder().encode(text).length}\n${text}\n`;
}

function quoted(path: string): string {
  return `"${path.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
}
