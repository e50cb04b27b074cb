import { Buffer } from "node:buffer";
import { listFolders } from "../io/file_tree.ts";
import type { Git } from "./git.ts";
import { BUILD_REFS, buildCommits } from "./left_behind.ts";
import { type Repository, RepositoryError } from "./repository.ts";

export async function findCommit(git: Git, revision: string): Promise<string | undefined> {
  return await git.maybe(["rev-parse", "-q", "--verify", `${revision}^{commit}`]);
}

/** Texts of blobs, by their names; `undefined` for an object that is missing or no blob. */
export async function readBlobs(
  git: Git,
  names: readonly string[],
): Promise<(string | undefined)[]> {
  const decoder = new TextDecoder();
  const contents = await readContents(git, names);
  return contents.map((content) => content && decoder.decode(content));
}

/** Contents of blobs, by their names; `undefined` for an object that is missing or no blob. */
export async function readContents(
  git: Git,
  names: readonly string[],
): Promise<(Uint8Array | undefined)[]> {
  if (names.length === 0) return [];
  const input = names.map((name) => `${name}\n`).join("");
  const { stdout } = await git.run(["cat-file", "--batch"], { input });
  const decoder = new TextDecoder();
  let offset = 0;
  return names.map(() => {
    const end = stdout.indexOf(LINE_END, offset);
    const { type, size } = parseHeader(decoder.decode(stdout.subarray(offset, end)));
    offset = end + 1;
    if (size === undefined) return undefined;
    const content = stdout.subarray(offset, offset + size);
    offset += size + 1;
    return type === "blob" ? content : undefined;
  });
}

/** A text that a ref of the repository names: git may write where the program may not. */
export function openRefText(git: Git, ref: string) {
  return {
    read: async (): Promise<string | undefined> => (await readBlobs(git, [ref]))[0],
    write: async (text: string): Promise<void> => {
      const name = await git.text(["hash-object", "-w", "--stdin"], { input: text });
      await git.run(["update-ref", ref, name.trim()]);
    },
    remove: async (): Promise<void> => {
      await git.run(["update-ref", "-d", ref]);
    },
  };
}

/** Sizes of objects in bytes, by their names; `undefined` for one that is missing. */
export async function readSizes(
  git: Git,
  names: readonly string[],
): Promise<(number | undefined)[]> {
  if (names.length === 0) return [];
  const input = names.map((name) => `${name}\n`).join("");
  const lines = (await git.text(["cat-file", "--batch-check"], { input })).split("\n");
  return names.map((_, index) => parseHeader(lines[index] ?? "").size);
}

const LINE_END = 0x0a;

function parseHeader(line: string): { type?: string; size?: number } {
  const [, type, size] = /^[0-9a-f]+ (\w+) (\d+)$/.exec(line) ?? [];
  return size === undefined ? {} : { type, size: Number(size) };
}

/** Names of the files of a commit by path, links left out; of those in `folder`, which ends in `/`, unless it is empty. */
export async function listBlobs(
  git: Git,
  commit: string,
  folder = "",
  { isDeep = true } = {},
): Promise<Map<string, string>> {
  const paths = folder === "" ? [] : ["--", folder];
  const depth = isDeep ? ["-r"] : [];
  const output = await git.text(["ls-tree", ...depth, "-z", "--full-tree", commit, ...paths]);
  const blobs = new Map<string, string>();
  for (const line of output.split("\0")) {
    const [, name, path] = /^100\d+ blob ([0-9a-f]+)\t(.*)$/s.exec(line) ?? [];
    if (path !== undefined) blobs.set(path, name!);
  }
  return blobs;
}

export interface Author {
  name: string;
  email: string;
  /** True if the message ends with a sign-off. */
  signsOff?: boolean;
}

export interface NewCommit {
  parent?: string;
  /** Names of existing blobs to include, by path; for a commit without a parent. */
  blobs?: ReadonlyMap<string, string>;
  /** Contents of the files it changes, by path; `null` removes one. */
  files: ReadonlyMap<string, string | Uint8Array | null>;
  message: string;
}

/**
 * Makes commits without an index, a work tree, hooks or signing, and returns their names. No ref points to them yet.
 *
 * @throws {RepositoryError} If the parent has a file or link where a commit needs a folder.
 */
export async function makeCommits(
  repository: Pick<Repository, "git" | "ownFolder" | "buildFolder">,
  commits: readonly NewCommit[],
  { author, time, id }: { author: Author; time: Temporal.Instant; id: string },
): Promise<string[]> {
  const seconds = Math.floor(time.epochMilliseconds / 1000);
  const clean = (text: string) => text.replace(/[<>\n\0]/g, "").trim();
  const person = `${clean(author.name)} <${clean(author.email)}>`;
  const end = author.signsOff ? `\n\nSigned-off-by: ${person}` : "";
  const input = commits.flatMap(({ parent, blobs = new Map(), files, message }, index) => {
    const ref = `${BUILD_REFS}${id}/${index}`;
    const written = [...files.keys()].filter((path) => files.get(path) !== null);
    return [
      `commit ${ref}\nmark :${index + 1}\ncommitter ${person} ${seconds} +0000\n`,
      ...formatData(message + end),
      ...parent === undefined ? [] : [
        `from ${parent}\n`,
        // fast-import would replace a file by a folder.
        ...[...new Set(written.flatMap(listFolders))].map((folder) => `ls ${quoted(folder)}\n`),
      ],
      ...[...blobs].map(([path, blob]) => `M 100644 ${blob} ${quoted(path)}\n`),
      ...[...files].flatMap(([path, content]) =>
        content === null
          ? [`D ${quoted(path)}\n`]
          : [`M 100644 inline ${quoted(path)}\n`, ...formatData(content)]
      ),
      `get-mark :${index + 1}\n`,
      // fast-import wants a ref for each commit; a reset to zeros keeps it from being created.
      `reset ${ref}\nfrom ${"0".repeat(40)}\n\n`,
    ];
  });
  const args = ["fast-import", "--quiet", "--date-format=raw", "--force"];
  const output = await buildCommits(
    repository,
    () => repository.git.text(args, { input: ["feature done\n", ...input, "done\n"] }),
  );
  const [, inTheWay] = /^\d+ (?:blob|commit) [0-9a-f]+\t(.*)$/m.exec(output) ?? [];
  if (inTheWay !== undefined) {
    throw new RepositoryError(
      `Cannot commit files into ${inTheWay}/: the branch has a file, link or submodule of that name; rename or remove it`,
    );
  }
  return output.match(/^[0-9a-f]+$/gm) ?? [];
}

function formatData(content: string | Uint8Array): (string | Uint8Array)[] {
  return [`data ${Buffer.byteLength(content)}\n`, content, "\n"];
}

function quoted(path: string): string {
  return `"${path.replace(/[\\"]/g, "\\$&").replaceAll("\n", "\\n")}"`;
}

/** Finds the remote from which a partial clone fetches the objects that it lacks; `undefined` for a full clone. */
async function findPromisor(git: Git): Promise<string | undefined> {
  const promisors = await git.maybe(["config", "--get-regexp", "^remote\\..*\\.promisor$"]);
  return /^remote\.(.+)\.promisor true$/m.exec(promisors ?? "")?.[1];
}

/**
 * Fetches the contents of some paths in a history that a partial clone lacks, in one request instead of one for each.
 * Returns the names of those that are still missing.
 */
export async function fetchMissing(
  git: Git,
  { revision, paths, wanted }: {
    revision: string;
    paths: readonly string[];
    /** Names of the contents. */
    wanted: ReadonlySet<string>;
  },
): Promise<ReadonlySet<string>> {
  const remote = await findPromisor(git);
  if (remote === undefined) return new Set();
  const options = ["--objects", "--missing=print", "--full-history", revision, "--"];
  const findMissing = async () => {
    const output = await git.text(["rev-list", ...options, ...paths]);
    const missing = output.split("\n").flatMap((line) =>
      line.startsWith("?") ? [line.slice(1)] : []
    );
    return new Set(missing.filter((name) => wanted.has(name)));
  };
  const before = await findMissing();
  if (before.size === 0) return before;
  const { code } = await git.run([
    ...["fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--recurse-submodules=no"],
    ...["--filter=blob:none", "--stdin", remote],
  ], { input: [...before].map((name) => `${name}\n`), accept: [1, 128] });
  return code === 0 ? await findMissing() : before;
}
