import { cp } from "node:fs/promises";
import { dirname, join } from "node:path";

/** A folder that is gone after the test. */
export interface Scratch extends AsyncDisposable {
  path: string;
  /** Writes a file, by its path inside the folder. */
  write(path: string, text: string): Promise<void>;
  read(path: string): Promise<string>;
}

/** Makes an empty folder. */
export async function makeScratch(prefix = "monitor-"): Promise<Scratch> {
  const path = await Deno.realPath(await Deno.makeTempDir({ prefix }));
  return {
    path,
    write: (name, text) => Deno.writeTextFile(join(path, name), text),
    read: (name) => Deno.readTextFile(join(path, name)),
    [Symbol.asyncDispose]: () => Deno.remove(path, { recursive: true }),
  };
}

/** Runs git without the settings of this machine; fails if git fails. */
export async function git(folder: string, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await new Deno.Command("git", {
    args: [...IDENTITY, ...args],
    cwd: folder,
    env: { GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" },
  }).output();
  if (code !== 0) throw new Error(`git ${args.join(" ")}: ${new TextDecoder().decode(stderr)}`);
  return new TextDecoder().decode(stdout).trimEnd();
}

const IDENTITY = [
  "user.name=Jo",
  "user.email=jo@example.com",
  "init.defaultBranch=main",
  "protocol.file.allow=always",
].flatMap((setting) => ["-c", setting]);

/** Makes a bare repository with some files on `main`, and a clone of it named `seed` next to it. */
export async function makeRemote(
  folder: string,
  files: Readonly<Record<string, string>>,
): Promise<string> {
  const remote = join(folder, "remote.git");
  const seed = join(folder, "seed");
  await git(folder, "init", "--quiet", "--template=", seed);
  for (const [name, text] of Object.entries(files)) {
    await Deno.mkdir(dirname(join(seed, name)), { recursive: true });
    await Deno.writeTextFile(join(seed, name), text);
  }
  await git(seed, "add", "--all");
  await git(seed, "commit", "--quiet", "--message", "Begin");
  // Copies and settings by hand take half as long as a clone and a push.
  const dotGit = join(seed, ".git");
  await cp(dotGit, remote, { recursive: true });
  await Deno.remove(join(remote, "index"));
  await Deno.remove(join(remote, "logs"), { recursive: true });
  const core = "[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n";
  // Each push would start another process, to see if there is garbage.
  const bare = `${core}\tbare = true\n[receive]\n\tautogc = false\n`;
  await Deno.writeTextFile(join(remote, "config"), bare);
  const origin =
    `[remote "origin"]\n\turl = ${remote}\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n`;
  const branch = '[branch "main"]\n\tremote = origin\n\tmerge = refs/heads/main\n';
  await Deno.writeTextFile(join(dotGit, "config"), origin + branch, { append: true });
  return remote;
}
