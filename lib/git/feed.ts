import type { GitOptions } from "./git.ts";

/** Gives a command its input. One that ends before it has read everything says why in its exit code. */
export async function feed(
  child: Deno.ChildProcess,
  input: NonNullable<GitOptions["input"]>,
): Promise<void> {
  const parts = [input].flat().map((part) =>
    typeof part === "string" ? part : new Uint8Array(part)
  );
  try {
    await new Blob(parts).stream().pipeTo(child.stdin);
  } catch (error) {
    if (!(error instanceof Deno.errors.BrokenPipe)) throw error;
  }
}
