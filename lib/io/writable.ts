import { UsageError } from "../text/arguments.ts";

/**
 * What can't be recorded need not be checked.
 *
 * @throws {UsageError} Where the program was not given the right to write in the folder.
 */
export async function assertWritable(root: string): Promise<void> {
  const { state } = await Deno.permissions.query({ name: "write", path: root });
  if (state === "granted") return;
  const cure = root.includes(",")
    ? "a comma in the name of a folder ends a permission of Deno; rename the folder, or work in a copy"
    : "a task may write only in the folder it is run from; run it in that folder";
  throw new UsageError(`Cannot write in ${root}: ${cure}`);
}
