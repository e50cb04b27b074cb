import { dirname, isAbsolute, normalize } from "node:path/posix";
import { DISPATCH_VARIABLE } from "../config/checks/heartbeat.ts";
import type { Config, Site } from "../config/config.ts";
import { listTexts } from "../config/document.ts";
import { GLOBALPING_TOKEN } from "../config/globalping.ts";
import { allSecretNames } from "../config/references.ts";
import { UPPTIME_SECRETS, UPPTIME_SWITCHES } from "../config/upptime/channels.ts";
import { readYaml } from "../config/yaml/read_yaml.ts";
import type { Environment } from "../io/environment.ts";
import { ACTION_REPOSITORY, VERSION } from "../version.ts";

const TAG = /^v?(\d{1,9}\.\d{1,9}\.\d{1,9})$/;

export type ActionKeys = Pick<Config, "action" | "actionVersion">;

/** The repository of the action as `owner/name`: the configured one, else that of the job, so that forks use themselves. */
export function actionRepository(
  { action }: ActionKeys,
  { actionRepository: name = "" }: Pick<Environment, "actionRepository">,
): string {
  if (action !== undefined) return action.split("@")[0]!;
  return /^[A-Za-z0-9][\w.-]*\/[\w.-]+$/.test(name) ? name : ACTION_REPOSITORY;
}

export function isPinned({ action, actionVersion }: ActionKeys): boolean {
  return action?.includes("@") === true || actionVersion !== undefined;
}

/**
 * The action for `uses:`: at the ref, version or commit that the configuration pins it to, else at the newest
 * release of the program's major version.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const released = ["v99.0.0", "v1.942.0", "v1.9.0"];
 * assertEquals(actionReference({ action: "acme/m" }, {}, released), "acme/m@v1.942.0");
 * assertEquals(actionReference({ action: "acme/m", actionVersion: "1.40.2" }, {}), "acme/m@v1.40.2");
 * assertEquals(actionReference({ action: "acme/m@main" }, {}, released), "acme/m@main");
 * ```
 */
export function actionReference(
  config: ActionKeys,
  environment: Pick<Environment, "actionRepository">,
  released: readonly string[] = [],
): string {
  const { action, actionVersion } = config;
  if (action?.includes("@") === true) return action;
  const repository = actionRepository(config, environment);
  if (actionVersion !== undefined) {
    const version = TAG.exec(actionVersion)?.[1];
    return version === undefined
      ? `${repository}@${actionVersion} # v${VERSION}, held by actionVersion`
      : `${repository}@v${version}`;
  }
  const major = `${VERSION.split(".")[0]}.`;
  const versions = [VERSION, ...released.flatMap((tag) => TAG.exec(tag)?.[1] ?? [])]
    .filter((version) => version.startsWith(major))
    .sort((one, other) => one.localeCompare(other, "en", { numeric: true }));
  return `${repository}@v${versions.at(-1)}`;
}

/** Secrets that Uptime CI passes; with `auto` those that the configuration names, and those of channels. */
export function passedSecrets(config: Config): readonly string[] | "all" {
  const { secrets } = config;
  if (secrets === "all") return secrets;
  return [
    ...new Set(
      secrets !== "auto" ? secrets : [
        ...allSecretNames(config),
        ...config.locations.some(({ globalping }) => globalping) ? [GLOBALPING_TOKEN] : [],
        ...config.sites.flatMap(({ possibleSecrets }) => possibleSecrets),
        ...UPPTIME_SECRETS,
        ...UPPTIME_SWITCHES,
      ],
    ),
  ];
}

/** Secrets that a job which only checks `sites` gets: none of channels. */
export function listCheckSecrets(
  { secrets }: Pick<Config, "secrets">,
  sites: readonly Site[],
): string[] {
  const named = sites.flatMap(({ secrets, possibleSecrets }) => [...secrets, ...possibleSecrets]);
  const names = [...new Set(named)].sort();
  return typeof secrets === "string" ? names : names.filter((name) => secrets.includes(name));
}

/** Names of secrets in the configuration that Uptime CI does not pass on. */
export function missedSecrets(config: Config): string[] {
  const passed = passedSecrets(config);
  return passed === "all" ? [] : allSecretNames(config).filter((name) => !passed.includes(name));
}

/** Variables that hold beats, with their expressions: each is passed by its name, so that no other one is. */
export function listBeatVariables(
  { sites }: Pick<Config, "sites">,
): [name: string, expression: string][] {
  const targets = sites.flatMap(({ target }) => target.check === "heartbeat" ? target : []);
  const names = new Set(targets.flatMap(({ variable }) => variable ?? []));
  const hasDispatch = targets.some(({ dispatch }) => dispatch !== undefined);
  return [
    ...[...names].sort().map((name): [string, string] => [name, `vars.${name}`]),
    ...hasDispatch
      ? [[DISPATCH_VARIABLE, "toJSON(github.event.client_payload)"] as [string, string]]
      : [],
  ];
}

const FILE_KEYS: readonly (string | number)[] = ["ca", "clientCertificate", "clientKey", "file"];

/**
 * Folders of the repository with files that checks read, from the text of a configuration; `all` if one
 * has an unusual name.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const folders = await findFoldersOfChecks("sites: [{ ca: certs/own/ca.pem }, { ca: $CA }]");
 * assertEquals(folders, ["certs/own"]);
 * assertEquals(await findFoldersOfChecks("defaults: { ca: my certs/ca.pem }"), "all");
 * ```
 */
export async function findFoldersOfChecks(text: string): Promise<readonly string[] | "all"> {
  const { document } = await readYaml(text);
  const files = listTexts(document).filter(([path]) => FILE_KEYS.includes(path.at(-1) ?? ""))
    .map(([, file]) => file)
    .filter((file) => !/[$\n]|-----BEGIN/.test(file) && !isAbsolute(file));
  const folders = new Set(files.map((file) => dirname(normalize(file))));
  folders.delete(".");
  return [...folders].every((folder) => /^[\w-][\w.-]*(?:\/[\w-][\w.-]*)*$/.test(folder))
    ? [...folders].sort()
    : "all";
}
