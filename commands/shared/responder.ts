import { readUserName } from "../../lib/git/repository.ts";
import { parsePause } from "../../lib/incidents/acknowledgement/read_responses.ts";
import { UsageError } from "../../lib/text/arguments.ts";
import { plainText, shorten } from "../../lib/text/plain_text.ts";
import type { Context } from "./context.ts";

const LONGEST_NAME = 60;

/** The name of the person that messages show: the given one, else that of who commits here. */
export async function readResponder({ options, root }: Context, does: string): Promise<string> {
  const given = options.text("by") ?? await readUserName(root) ?? "";
  const name = shorten(plainText(given), LONGEST_NAME);
  if (name !== "") return name;
  throw new UsageError(`Cannot tell who ${does}: give a name, such as --by "Ann Smith"`);
}

/** The milliseconds of `--for`; `undefined` if it is not given. */
export function readPause({ options }: Context, action: string): number | undefined {
  const written = options.text("for");
  if (written === undefined) return undefined;
  const lasts = parsePause(written);
  if (lasts !== undefined) return lasts;
  throw new UsageError(
    `Cannot ${action} for ${written}: use a duration from 1m to 30d, such as --for 2h`,
  );
}
