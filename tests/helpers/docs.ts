import { join } from "node:path";
import { PROJECT } from "./program.ts";

/** The README and every document in `docs/`, by path from the top of the project. */
export async function readDocs(): Promise<Map<string, string>> {
  const folders = ["docs", "docs/reference", "docs/reference/decisions"];
  const names = await Promise.all(folders.map(async (folder) => {
    const entries = await Array.fromAsync(Deno.readDir(join(PROJECT, folder)));
    return entries.filter(({ name }) => name.endsWith(".md")).map(({ name }) =>
      `${folder}/${name}`
    );
  }));
  const paths = ["README.md", ...names.flat().sort()];
  return new Map(
    await Promise.all(
      paths.map(async (path) => [path, await Deno.readTextFile(join(PROJECT, path))] as const),
    ),
  );
}

/** The text of one document. */
export function readDoc(path: string): Promise<string> {
  return Deno.readTextFile(join(PROJECT, path));
}

/** Fenced blocks of a language in a document, without the indentation of a list around them. */
export function blocksOf(text: string, language: string): string[] {
  const fence = new RegExp(`^( *)\`\`\`${language}\\n([^]*?)^\\1\`\`\`$`, "gm");
  return [...text.matchAll(fence)].map(([, indent, block]) =>
    block!.replaceAll(new RegExp(`^${indent}`, "gm"), "")
  );
}
