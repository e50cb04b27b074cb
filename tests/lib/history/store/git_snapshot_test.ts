import { assertEquals, assertRejects } from "@std/assert";
import { join } from "node:path";
import { GitError } from "../../../../lib/git/git.ts";
import { makeCommits } from "../../../../lib/git/objects.ts";
import { openRepository } from "../../../../lib/git/repository.ts";
import { commitOnto, localSnapshot } from "../../../../lib/history/store/git_snapshot.ts";
import { makeRepository } from "../../../helpers/repositories.ts";
import { git, makeScratch } from "../../../helpers/scratch.ts";

const CHANGE = {
  run: "9f3c01ab",
  time: Temporal.Instant.from("2026-11-21T10:05:03.120Z"),
  message: 'Check ünï\n\n$(touch x) `id` "quoted" [skip ci]',
  author: { name: "A <b>\nc", email: "<a@example.com>" },
};

Deno.test("what goes into a commit is what a snapshot of it reads, whatever the paths and texts", async () => {
  await using scratch = await makeScratch();
  await makeRepository(scratch.path, { "mine": "1" });
  await Deno.mkdir(join(scratch.path, "sub folder"));
  const repository = (await openRepository(join(scratch.path, "sub folder")))!;
  const files = new Map([
    ["history/a.yml", "a\n"],
    ['history/"quoted" \\ back.yml', "b"],
    ["history/--help.yml", ""],
    ["history/موقع 🚀.yml", "ünï\r\n\u0000\n"],
    ["history/`id` $(touch x).yml", "data 3\ndone\n"],
    ["history/x.yml", "x".repeat(200_000)],
  ]);
  const parent = await git(scratch.path, "rev-parse", "HEAD");
  const { run: id, time, author } = CHANGE;
  const made = commitOnto(repository, parent, { ...CHANGE, files });
  const [commit] = await makeCommits(repository.git, [made], { id, time, author });
  const snapshot = localSnapshot(repository, commit);
  assertEquals(await snapshot.read(["history/none.yml", ...files.keys()]), files);
  const streamed = new Map<string, string>();
  for await (const [path, content] of snapshot.stream(["history/none.yml", ...files.keys()])) {
    streamed.set(path, new TextDecoder().decode(content));
  }
  assertEquals(streamed, files);
  assertEquals(
    (await snapshot.list("history")).toSorted(),
    [...files.keys()].map((path) => path.slice("history/".length)).sort(),
  );
  assertEquals(
    await git(scratch.path, "log", "-1", "--format=%an|%ae|%aI|%B", commit!),
    `A bc|a@example.com|2026-11-21T10:05:03+00:00|${CHANGE.message}`,
  );
  assertEquals(await git(scratch.path, "status", "--porcelain"), "");
});

Deno.test("a folder where a file should be is no file, and the others are read all the same", async () => {
  await using scratch = await makeScratch();
  await Deno.mkdir(join(scratch.path, "history", "a.yml"), { recursive: true });
  await makeRepository(scratch.path, { "history/a.yml/inside": "1\n", "history/b.yml": "b\n" });
  const snapshot = localSnapshot((await openRepository(scratch.path))!, "HEAD");
  const files = await snapshot.read(["history/a.yml", "history/b.yml"]);
  assertEquals(files, new Map([["history/b.yml", "b\n"]]));
});

Deno.test("a snapshot of no commit is empty", async () => {
  await using scratch = await makeScratch();
  await makeRepository(scratch.path, { "history": "a file" });
  const repository = (await openRepository(scratch.path))!;
  assertEquals(await localSnapshot(repository, undefined).read(["a"]), new Map());
  assertEquals(await localSnapshot(repository, undefined).list("history"), []);
  assertEquals(await localSnapshot(repository, "HEAD").list("history/incidents"), []);
});

Deno.test("a stream of contents may be left early, and fails where git does", async () => {
  await using scratch = await makeScratch();
  await makeRepository(scratch.path, { "a": "a".repeat(500_000), "b": "b".repeat(500_000) });
  const repository = (await openRepository(scratch.path))!;
  const commit = await git(scratch.path, "rev-parse", "HEAD");
  for await (const [path] of localSnapshot(repository, commit).stream(["a", "b"])) {
    assertEquals(path, "a");
    break;
  }
  await Deno.rename(join(scratch.path, ".git"), join(scratch.path, "moved"));
  const rest = localSnapshot(repository, commit).stream(["b"]);
  await assertRejects(() => Array.fromAsync(rest), GitError, "Cannot run git cat-file");
});

Deno.test("a stream gives what was committed, whatever became of the files since", async () => {
  await using scratch = await makeScratch();
  const folder = join(scratch.path, "work");
  const names = ["same", "edited", "sized", "staged", "gone", "link", "endings", "later"];
  const path = (name: string) => `history/${name}.csv`;
  const files = Object.fromEntries(names.map((name) => [`sub/${path(name)}`, `${name}\n`]));
  const history = join(folder, "sub", "history");
  await Deno.mkdir(history, { recursive: true });
  await makeRepository(folder, files);
  await git(folder, "config", "core.autocrlf", "false");
  const commit = await git(folder, "rev-parse", "HEAD");
  const at = (name: string) => join(history, `${name}.csv`);
  await Deno.writeTextFile(at("later"), "newer\n");
  await git(folder, "commit", "--quiet", "--all", "--message", "Later");
  await Deno.writeTextFile(at("edited"), "something else\n");
  await Deno.writeTextFile(at("sized"), "SIZED\n");
  await Deno.writeTextFile(at("staged"), "STAGED\n");
  await git(folder, "add", at("staged"));
  await Deno.remove(at("gone"));
  await Deno.remove(at("link"));
  await Deno.symlink(at("same"), at("link"));
  await Deno.remove(at("endings"));
  await git(folder, "-c", "core.autocrlf=true", "checkout", "--", at("endings"));
  assertEquals(await Deno.readTextFile(at("endings")), "endings\r\n");
  const repository = (await openRepository(join(folder, "sub")))!;
  const read = async (of: string) => {
    const told: [name: string, text: string][] = [];
    const snapshot = localSnapshot(repository, of);
    for await (const [one, content] of snapshot.stream(names.map(path))) {
      told.push([one, new TextDecoder().decode(content)]);
    }
    return told;
  };
  const committed = names.map((name) => [path(name), `${name}\n`]);
  assertEquals(await read(commit), committed);
  const now = committed.map(([at, text]) => [at, at === path("later") ? "newer\n" : text]);
  assertEquals(await read("HEAD"), now);
  // Nothing is known of the work tree where there is no index.
  await Deno.remove(join(folder, ".git", "index"));
  assertEquals(await read("HEAD"), now);
});

Deno.test("files that git has not looked at since they were copied are read where they lie", async () => {
  await using scratch = await makeScratch();
  const long = Array.from({ length: 5000 }, (_, index) => `${index} ü\n`).join("");
  for (const format of ["sha1", "sha256"]) {
    const folder = join(scratch.path, format);
    await git(scratch.path, "init", "--quiet", `--object-format=${format}`, folder);
    await Deno.mkdir(join(folder, "history"));
    await makeRepository(folder, { "history/copied": long, "history/edited": "old\n" });
    for (const [name, text] of [["copied", long], ["edited", "new\n"]] as const) {
      const path = join(folder, "history", name);
      await Deno.writeTextFile(path, text);
      await Deno.utime(path, 0, 0);
    }
    // git can tell how long it is, and nothing else of it any more.
    const blob = await git(folder, "rev-parse", "HEAD:history/copied");
    const object = join(folder, ".git", "objects", blob.slice(0, 2), blob.slice(2));
    const whole = await Deno.readFile(object);
    await Deno.remove(object);
    await Deno.writeFile(object, whole.subarray(0, 500));
    const snapshot = localSnapshot((await openRepository(folder))!, "HEAD");
    const told = new Map<string, string>();
    for await (const [path, content] of snapshot.stream(["history/copied", "history/edited"])) {
      told.set(path, new TextDecoder().decode(content));
    }
    assertEquals(told, new Map([["history/copied", long], ["history/edited", "old\n"]]));
  }
});
