import { isAbsolute, relative } from "node:path";
import type { Workspace } from "../io/workspace.ts";
import { listRecords } from "./record_path.ts";
import { isFromUpptime, UPPTIME_CONFIG } from "./upptime/repository.ts";
import type { Secrets } from "../io/secrets/secrets.ts";
import type { Config, Site } from "./config.ts";
import { parseContent, type ParsedConfig } from "./parse.ts";
import { formatCommand } from "../text/invocation.ts";

/** The site of an unedited configuration, which is not checked; its domain is reserved (RFC 2606). */
export const EXAMPLE_SITE = {
  name: "My website",
  url: "https://your-website.example",
};

export function isExampleOnly({ sites }: { sites: readonly { url: string }[] }): boolean {
  return sites.length > 0 && sites.every(({ url }) => url === EXAMPLE_SITE.url);
}

export const CONFIG_FILES = [".monitorrc.yml", UPPTIME_CONFIG] as const;

export interface LoadedConfig extends ParsedConfig {
  file: string;
}

/** Names that a configuration may have in a folder: the usual ones, or the file given. */
export function configFiles(root: string, file?: string): readonly string[] {
  if (file === undefined) return CONFIG_FILES;
  return [isAbsolute(file) ? relative(root, file) : file];
}

/** The configuration to read, and the secrets to which credentials written out in it are added. */
interface ConfigSource {
  root: string;
  /** Path of the file; the usual ones in the folder if it is absent. */
  config?: string;
  secrets: Secrets;
}

/** Reads the configuration of a folder if it has one; a file that is named must exist. */
export async function loadConfigIfAny(
  workspace: Workspace,
  source: ConfigSource,
): Promise<LoadedConfig | undefined> {
  try {
    return await readConfig(workspace, source);
  } catch (error) {
    if (!(error instanceof NoConfigError) || source.config !== undefined) throw error;
    return undefined;
  }
}

/**
 * Reads the configuration of a folder, or the file named. `secrets` redact credentials that are written
 * out in it from then on.
 *
 * @throws {NoConfigError} If the file does not exist.
 * @throws {UneditedConfigError} If its only site is the example.
 */
export async function loadConfig(
  workspace: Workspace,
  source: ConfigSource,
): Promise<LoadedConfig> {
  const loaded = await readConfig(workspace, source);
  const { config, file } = loaded;
  if (config !== undefined && isExampleOnly(config)) {
    throw new UneditedConfigError(`Nothing is checked yet: edit ${file}`);
  }
  return loaded;
}

async function readConfig(
  workspace: Workspace,
  { root, config: file, secrets }: ConfigSource,
): Promise<LoadedConfig> {
  for (const name of configFiles(root, file)) {
    const content = await workspace.readBytes(name);
    if (content === undefined) continue;
    const records = {
      recorded: await listRecords(workspace),
      isFromUpptime: () => isFromUpptime(workspace),
    };
    const parsed = await parseContent(content, secrets.namesWithValue(), records);
    for (const value of parsed.credentials) secrets.derive(value);
    const config = parsed.config && withRedactedTexts(parsed.config, secrets);
    return { ...parsed, config, file: name };
  }
  const misnamed = ".monitorrc.yaml";
  throw new NoConfigError(
    file === undefined
      ? `Cannot find .monitorrc.yml in ${root}: ${
        await workspace.has(misnamed) ? `rename ${misnamed}` : noConfigCure()
      }`
      : `Cannot find ${file}: the file does not exist`,
  );
}

/** Redacts the texts of a configuration that are shown; keys with `$NAMES` need none. */
function withRedactedTexts(config: Config, { redact }: Secrets): Config {
  const { commitMessages, groups, i18n, maintenance, pages, "status-website": website } = config;
  const { images, origins } = redactTexts(pages, redact);
  return {
    ...config,
    // Keys of i18n are names of messages, also those that elsewhere hold fixed words.
    i18n: Object.fromEntries(Object.entries(i18n).map(([key, text]) => [key, redact(text)])),
    ...redactTexts({ commitMessages, groups, maintenance, "status-website": website }, redact),
    pages: { ...pages, images, origins },
    sites: config.sites.map(({ name, url, link, icon, group, description, ...site }): Site => ({
      ...site,
      ...redactTexts({ name, url, link, icon, group, description }, redact),
    })),
  };
}

/** Keys of fixed words, and of names that are part of paths. */
const NAMES = new Set(["slug", "sites", "timezone", "theme", "baseUrl", "cname"]);

/** Redacts all texts in plain objects and lists, except the values of {@linkcode NAMES}. */
function redactTexts<T>(value: T, redact: (text: string) => string): T {
  const of = (one: unknown): unknown => {
    if (typeof one === "string") return redact(one);
    if (Array.isArray(one)) return one.map(of);
    if (one === null || typeof one !== "object" || one.constructor !== Object) return one;
    return Object.fromEntries(
      Object.entries(one).map(([key, own]) => [key, NAMES.has(key) ? own : of(own)]),
    );
  };
  return of(value) as T;
}

/** A note of commands that can do without a configuration. */
export function noConfigNote(): string {
  return `Cannot find .monitorrc.yml here: ${noConfigCure()}`;
}

function noConfigCure(): string {
  return `"${formatCommand("init")}" writes it`;
}

export class NoConfigError extends Error {
  override readonly name = "NoConfigError";
}

/** Nobody has edited the configuration, as in a new copy of the template; the message has the cure. */
export class UneditedConfigError extends Error {
  override readonly name = "UneditedConfigError";
}
