import { listBlobs, listFolder, type NewCommit, readContents } from "../../git/objects.ts";
import { streamContents } from "../../git/stream_contents.ts";
import { heldFiles, WorkTreeReader } from "../../git/work_tree_files.ts";
import type { Repository } from "../../git/repository.ts";
import type { Change, Snapshot } from "./store.ts";

/** What a commit holds of the history; nothing where there is none. */
export function filesOf(
  { git, top, prefix }: Repository,
  commit: string | undefined,
): Pick<Snapshot, "read" | "readBytes" | "stream" | "list" | "readAll"> {
  const folders = new Map<string, Promise<Map<string, string>>>();
  const entriesOf = (folder: string) => {
    const known = folders.get(folder) ?? listFolder(git, commit!, prefix + folder);
    folders.set(folder, known);
    return known;
  };
  const find = async (paths: readonly string[]) => {
    if (commit === undefined) return [];
    const places = paths.map((path) => {
      const slash = path.lastIndexOf("/");
      return { path, folder: path.slice(0, Math.max(0, slash)), name: path.slice(slash + 1) };
    });
    const listed = new Map<string, Map<string, string> | undefined>();
    for (const folder of new Set(places.map(({ folder }) => folder))) {
      listed.set(folder, await folders.get(folder));
    }
    return places.flatMap((place) => {
      const { path, folder } = place;
      const entries = listed.get(folder);
      // git looks a path up from the root each time; for thousands in one folder that takes seconds.
      const name = entries === undefined ? `${commit}:${prefix}${path}` : entries.get(place.name);
      return name === undefined ? [] : [{ path, name }];
    });
  };
  const contentsOf = async (paths: readonly string[]) => {
    const found = await find(paths);
    if (found.length === 0) return [];
    const contents = await readContents(git, found.map(({ name }) => name));
    return found.flatMap(({ path }, index) => {
      const content = contents[index];
      return content === undefined ? [] : [[path, content] as const];
    });
  };
  return {
    async read(paths) {
      const decoder = new TextDecoder();
      const contents = await contentsOf(paths);
      return new Map(contents.map(([path, content]) => [path, decoder.decode(content)]));
    },
    readBytes: async (paths) => new Map(await contentsOf(paths)),
    async *stream(paths) {
      const found = (await find(paths)).map((one) => ({ ...one, place: prefix + one.path }));
      if (commit === undefined || found.length === 0) return;
      // git takes ten times as long to unpack megabytes as it takes to read them where they lie.
      const held = await heldFiles({ git, top }, commit, found.map(({ place }) => place));
      const workTree = new WorkTreeReader(top);
      const packed = found.filter(({ place }) => !held.has(place));
      const contents = streamContents(git, packed.map(({ name }) => name));
      try {
        for (const { path, name, place } of found) {
          const file = held.get(place);
          const content = file === undefined
            ? (await contents.next()).value
            : await workTree.read(place, file) ?? (await readContents(git, [name]))[0];
          if (content !== undefined) yield [path, content];
        }
        // Ends the command, or tells why it failed.
        await contents.next();
      } finally {
        await contents.return(undefined);
      }
    },
    async list(folder) {
      return commit === undefined ? [] : [...(await entriesOf(folder)).keys()];
    },
    async readAll(folder, isWanted) {
      if (commit === undefined) return new Map();
      const blobs = [...await listBlobs(git, commit, prefix + folder)]
        .map(([path, blob]) => ({ path: path.slice(prefix.length), blob }))
        .filter(({ path }) => isWanted(path));
      const contents = await readContents(git, blobs.map(({ blob }) => blob));
      return new Map(blobs.map(({ path }, index) => [path, contents[index]!]));
    },
  };
}

/** The history as it stands in a commit of a branch that nothing waits beside. */
export function localSnapshot(repository: Repository, commit: string | undefined): Snapshot {
  return {
    version: commit,
    ways: { pending: "none", commits: true, atomic: true },
    ...filesOf(repository, commit),
    readPending: () => Promise.resolve({ texts: new Map() }),
  };
}

/** Paths of the files in a folder of the work tree that git does not track, also of those it ignores. */
export async function untrackedFiles(
  { git, prefix }: Repository,
  folder: string,
): Promise<string[]> {
  const output = await git.text([
    "ls-files",
    "--others",
    "-z",
    "--",
    `:(literal)${prefix}${folder}`,
  ]);
  return output.split("\0").filter((path) => path !== "").map((path) => path.slice(prefix.length));
}

/** The commit that a change makes of the files on its branch. */
export function commitOnto(
  { prefix }: Repository,
  parent: string | undefined,
  { files, message }: Change,
): NewCommit {
  return {
    parent,
    files: new Map([...files].map(([path, content]) => [prefix + path, content])),
    message,
  };
}
