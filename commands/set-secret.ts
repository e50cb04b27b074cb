import { UsageError } from "../lib/text/arguments.ts";
import { loadConfigIfAny } from "../lib/config/load.ts";
import type { Command, Context } from "./shared/context.ts";
import { readRepositoryInfo } from "../lib/git/repository.ts";
import {
  openRepositorySecrets,
  seal,
  secretValue,
  storedName,
} from "../lib/github/repository_secrets.ts";
import { readSecretInput } from "../lib/io/terminal.ts";
import { folderWorkspace } from "../lib/io/workspace.ts";
import { githubOptions, whyNoGitHub } from "./shared/reach_github.ts";

export const setSecret: Command = async (context) => {
  const { root, environment, json, log } = context;
  const name = parseName(context);
  const [loaded, { remoteUrl }] = await Promise.all([
    loadConfigIfAny(folderWorkspace(root), context),
    readRepositoryInfo(root),
  ]);
  const options = githubOptions({ config: loaded?.config, remoteUrl }, context);
  if (options === undefined) {
    throw new UsageError(`Cannot save a secret: ${whyNoGitHub(environment)}`);
  }
  const value = orRefused(
    secretValue,
    await readSecretInput(context.stdin, `What is the value of ${name}? (it is not shown)`),
    `; pipe it in, as in printf %s "$VALUE" | … set-secret ${name}`,
  );
  log.mask(value);
  const secrets = openRepositorySecrets(options);
  const { id, key } = await secrets.publicKey();
  const sealed = await seal(new TextEncoder().encode(value), key);
  const isNew = await secrets.save(name, { sealed, keyId: id });
  const { repository } = secrets;
  log.line(`${isNew ? "Saved" : "Replaced"} the secret ${name} of ${repository}.`);
  if (json) log.data({ secret: name, repository, sent: true, new: isNew });
  return 0;
};

function parseName({ words }: Context): string {
  if (words.length <= 1) return orRefused(storedName, words[0] ?? "", " (set-secret NAME)");
  // The other words may contain the value, so they are not repeated.
  throw new UsageError(
    "Cannot save a secret: give a name only; the value is read from stdin, because other users can see command lines",
  );
}

function orRefused<T>(rule: (given: T) => string, given: T, cure: string): string {
  try {
    return rule(given);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new UsageError(`Cannot save a secret: ${error.message}${cure}`);
  }
}
