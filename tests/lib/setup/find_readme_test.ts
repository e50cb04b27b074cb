import { assertEquals } from "@std/assert";
import { findReadme } from "../../../lib/setup/readme.ts";
import { USUAL_MARKERS } from "../../../lib/setup/readme_markers.ts";
import { storeOf } from "../../helpers/random_history.ts";

const MARKED = "Up: <!-- monitor: live status -->";

async function found(
  files: Readonly<Record<string, string>>,
  isAtTop = true,
): Promise<string | undefined> {
  const snapshot = await (await storeOf(new Map(Object.entries(files)))).read();
  const byFolder = (folder: string) =>
    Object.keys(files).filter((path) => path.split("/").slice(0, -1).join("/") === folder)
      .map((path) => path.split("/").at(-1)!);
  const list = (folder: string) => Promise.resolve(byFolder(folder));
  return (await findReadme({ ...snapshot, list }, USUAL_MARKERS, isAtTop))?.path;
}

Deno.test("the first README with markers is taken, in the order of GitHub, else the first", async () => {
  assertEquals(await found({ "README.md": "", "docs/README.md": "" }), "README.md");
  assertEquals(await found({ "README.md": "", ".github/readme.md": "" }), ".github/readme.md");
  assertEquals(await found({ "README.md": MARKED, ".github/README.md": "" }), "README.md");
  assertEquals(
    await found({ "README.md": MARKED, ".github/README.md": MARKED }),
    ".github/README.md",
  );
  assertEquals(
    await found({ "README.md": "", "docs/Readme.markdown": MARKED }),
    "docs/Readme.markdown",
  );
  assertEquals(await found({ "readme.md": "", "README.md": "" }), "README.md");
  assertEquals(await found({ "README.rst": "", "docs/index.md": "" }), undefined);
});

Deno.test("below the top of a repository only the README of the folder itself counts", async () => {
  assertEquals(await found({ ".github/README.md": MARKED }, false), undefined);
  assertEquals(await found({ ".github/README.md": MARKED, "README.md": "" }, false), "README.md");
});
