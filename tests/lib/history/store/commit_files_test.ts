import { assertEquals } from "@std/assert";
import { join } from "node:path";
import { makeCommits } from "../../../../lib/git/objects.ts";
import { findRepository } from "../../../../lib/git/repository.ts";
import { commitFiles, commitOnto } from "../../../../lib/history/store/commit_files.ts";
import { makeRepository } from "../../../helpers/repositories.ts";
import { git, makeScratch } from "../../../helpers/scratch.ts";

const CHANGE = {
  run: "9f3c01ab",
  time: Temporal.Instant.from("2026-11-21T10:05:03.120Z"),
  message: 'Check ünï\n\n$(touch x) `id` "quoted" [skip ci]',
  author: { name: "A <b>\nc", email: "<a@example.com>" },
};

Deno.test("committed files are read back unchanged by a snapshot, whatever their paths and texts", async () => {
  await using scratch = await makeScratch();
  await makeRepository(scratch.path, { "mine": "1" });
  await Deno.mkdir(join(scratch.path, "sub folder"));
  const repository = (await findRepository(join(scratch.path, "sub folder")))!;
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
  const [commit] = await makeCommits(repository, [made], { id, time, author });
  const snapshot = commitFiles(repository, commit);
  assertEquals(await snapshot.read(["history/none.yml", ...files.keys()]), files);
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

Deno.test("a folder in place of a file is read as a missing file, and other files are read normally", async () => {
  await using scratch = await makeScratch();
  await Deno.mkdir(join(scratch.path, "history", "a.yml"), { recursive: true });
  await makeRepository(scratch.path, { "history/a.yml/inside": "1\n", "history/b.yml": "b\n" });
  const snapshot = commitFiles((await findRepository(scratch.path))!, "HEAD");
  const files = await snapshot.read(["history/a.yml", "history/b.yml"]);
  assertEquals(files, new Map([["history/b.yml", "b\n"]]));
});

Deno.test("a snapshot of no commit is empty", async () => {
  await using scratch = await makeScratch();
  await makeRepository(scratch.path, { "history": "a file" });
  const repository = (await findRepository(scratch.path))!;
  assertEquals(await commitFiles(repository, undefined).read(["a"]), new Map());
  assertEquals(await commitFiles(repository, undefined).list("history"), []);
  assertEquals(await commitFiles(repository, "HEAD").list("history/incidents"), []);
});

Deno.test("many files of a folder are read as few ones are", async () => {
  await using scratch = await makeScratch();
  await makeRepository(scratch.path, { "top.yml": "top\n" });
  const repository = (await findRepository(scratch.path))!;
  const texts = Array.from({ length: 120 }, (_, index) => [`history/S${index}.yml`, `${index}\n`]);
  const files = new Map(texts as [string, string][]);
  const parent = await git(scratch.path, "rev-parse", "HEAD");
  const { run: id, time, author } = CHANGE;
  const made = commitOnto(repository, parent, { ...CHANGE, files });
  const [commit] = await makeCommits(repository, [made], { id, time, author });
  const snapshot = commitFiles(repository, commit);
  const paths = ["history/none.yml", ...files.keys(), "top.yml"];
  assertEquals(await snapshot.read(paths), new Map([...files, ["top.yml", "top\n"]]));
  assertEquals(
    await snapshot.read(["history/S7.yml", "history/none.yml"]),
    new Map([["history/S7.yml", "7\n"]]),
  );
});
