import { resolve } from "node:path";
import { type Arguments, UsageError } from "../arguments.ts";
import { Secrets } from "../config/secrets/secrets.ts";
import { parseSecretsFile } from "../config/secrets/secrets_file.ts";
import type { Context } from "../context.ts";
import { withSingleChats } from "../notify/upptime_channels.ts";
import { askOnTerminal } from "./ask.ts";
import { systemClock } from "./clock.ts";
import { readEnvironment } from "./environment.ts";
import { Log } from "./log.ts";
import { assertWritable } from "./writable.ts";

/** What a command needs of the outside that is not the usual. */
export interface Needs {
  /** Whether it writes nothing, and needs no right to. */
  readsOnly?: true;
  /** Whether what it prints is a document: all else goes to stderr. */
  printsDocument?: true;
}

/**
 * Opens the doors to the outside for a command.
 *
 * @throws {UsageError} Where what was asked for is not there.
 */
export async function openContext(
  parsed: Arguments,
  { readsOnly, printsDocument }: Needs,
): Promise<Context> {
  const environment = readEnvironment();
  const root = resolve(...parsed.root);
  if (!parsed.dryRun && readsOnly !== true) await assertWritable(root);
  const file = parsed.secrets === undefined
    ? {}
    : parseSecretsFile(await readSecretsFile(resolve(root, parsed.secrets)));
  const secrets = new Secrets(
    withSingleChats({ ...environment.secrets, ...file }),
    environment.tokens,
  );
  const level = parsed.quiet || parsed.json ? "quiet" : parsed.verbose ? "verbose" : "normal";
  const log = new Log({
    secrets,
    onPlatform: environment.onPlatform,
    terminal: environment.terminal,
    level,
    dataOnly: parsed.json || printsDocument === true,
  });
  const { config, dryRun, json, urls, channel, month, format } = parsed;
  return {
    root,
    config,
    words: parsed.words.slice(1),
    urls,
    channel,
    month,
    format,
    dryRun,
    json,
    environment,
    secrets,
    clock: systemClock,
    ask: askOnTerminal,
    log,
  };
}

async function readSecretsFile(path: string): Promise<string> {
  try {
    return await Deno.readTextFile(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) {
      throw new UsageError(`Cannot read secrets from ${path}: there is no such file`);
    }
    throw error;
  }
}
