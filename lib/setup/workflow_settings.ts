import { dirname, isAbsolute, normalize } from "node:path/posix";
import type { Config } from "../config/config.ts";
import { textsIn } from "../config/document.ts";
import { allSecretNames } from "../config/references.ts";
import { UPPTIME_SECRETS } from "../config/upptime/channels.ts";
import { UPPTIME_SWITCHES } from "../config/upptime/unsupported_services.ts";
import { readYaml } from "../config/yaml/read_yaml.ts";
import type { Environment } from "../io/environment.ts";

const USUAL_REPOSITORY = "monitor-action/monitor-action";

/** A release of the action. */
const TAG = /^v?(\d{1,9}\.\d{1,9}\.\d{1,9})$/;

/** The repository of the action, as `owner/name`: that of the job, so that forks use themselves. */
export function actionRepository(
  { actionRepository: name = "" }: Pick<Environment, "actionRepository">,
): string {
  return /^[A-Za-z0-9][\w.-]*\/[\w.-]+$/.test(name) ? name : USUAL_REPOSITORY;
}

/**
 * The action for `uses:`: at the version or commit that the configuration holds it at, else at the newest
 * release of the program's major version. A commit is followed by the version that runs.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const released = ["v2.0.0", "v1.42.0", "v1.9.0"];
 * assertEquals(actionReference("acme/m", { own: "1.41.0", released }), "acme/m@v1.42.0");
 * assertEquals(actionReference("acme/m", { own: "1.41.0", released, held: "1.40.2" }), "acme/m@v1.40.2");
 * ```
 */
export function actionReference(
  repository: string,
  { own, held, released = [] }: { own: string; held?: string; released?: readonly string[] },
): string {
  if (held !== undefined) {
    const version = TAG.exec(held)?.[1];
    return version === undefined
      ? `${repository}@${held} # v${own}, held by actionVersion`
      : `${repository}@v${version}`;
  }
  const major = `${own.split(".")[0]}.`;
  const versions = [own, ...released.flatMap((tag) => TAG.exec(tag)?.[1] ?? [])]
    .filter((version) => version.startsWith(major))
    .sort((one, other) => one.localeCompare(other, "en", { numeric: true }));
  return `${repository}@v${versions.at(-1)}`;
}

/**
 * Names of the secrets that Uptime CI passes to the program. With `auto` those that the configuration names,
 * and those that set up a channel in this program or in Upptime.
 */
export function passedSecrets(config: Config): readonly string[] | "all" {
  const { secrets } = config;
  if (secrets === "all") return secrets;
  return [
    ...new Set(
      secrets !== "auto" ? secrets : [
        ...allSecretNames(config),
        ...config.sites.flatMap(({ possibleSecrets }) => possibleSecrets),
        ...UPPTIME_SECRETS,
        ...UPPTIME_SWITCHES,
      ],
    ),
  ];
}

/** Names of secrets in the configuration that Uptime CI does not pass on. */
export function missedSecrets(config: Config): string[] {
  const passed = passedSecrets(config);
  return passed === "all" ? [] : allSecretNames(config).filter((name) => !passed.includes(name));
}

/** Keys of sites that name a file. */
const FILE_KEYS: readonly (string | number)[] = ["ca", "clientCertificate", "clientKey"];

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
  const files = textsIn(document).filter(([path]) => FILE_KEYS.includes(path.at(-1) ?? ""))
    .map(([, file]) => file)
    .filter((file) => !/[$\n]|-----BEGIN/.test(file) && !isAbsolute(file));
  const folders = new Set(files.map((file) => dirname(normalize(file))));
  folders.delete(".");
  return [...folders].every((folder) => /^[\w-][\w.-]*(?:\/[\w-][\w.-]*)*$/.test(folder))
    ? [...folders].sort()
    : "all";
}
