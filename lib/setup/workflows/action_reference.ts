import type { Environment } from "../../io/environment.ts";

/** Where the action is, where nothing says that it is elsewhere. */
const USUAL_REPOSITORY = "monitor-action/monitor-action";

/** A version of the action as a tag of a release. */
const TAG = /^v?(\d{1,9})\.(\d{1,9})\.(\d{1,9})$/;

/** What tells which version of the action workflows run. */
export interface Versions {
  /** That of this program. */
  own: string;
  /** What the configuration holds it at: a version or a commit. */
  held?: string;
  /** Tags of the action's releases, as far as they are known. */
  released?: readonly string[];
}

/**
 * The repository of the action, as `owner/name`: that of the job, so that forks go on with themselves.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(actionRepository({ actionRepository: "acme/monitor-action" }), "acme/monitor-action");
 * assertEquals(actionRepository({ actionRepository: "a b" }), "monitor-action/monitor-action");
 * ```
 */
export function actionRepository(
  { actionRepository }: Pick<Environment, "actionRepository">,
): string {
  const isOne = /^[A-Za-z0-9][\w.-]*\/[\w.-]+$/.test(actionRepository ?? "");
  return isOne ? actionRepository! : USUAL_REPOSITORY;
}

/**
 * The action as `uses:` names it: at what the configuration holds it at, else at the newest release of
 * this major version, never below the program's own. A commit is followed by the version that runs.
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
  { own, held, released = [] }: Versions,
): string {
  if (held !== undefined) {
    return TAG.test(held)
      ? `${repository}@${tagOf(held)}`
      : `${repository}@${held} # v${own}, held by actionVersion`;
  }
  const [major] = numbersOf(own);
  const newest = [own, ...released.filter((tag) => TAG.test(tag))]
    .filter((tag) => numbersOf(tag)[0] === major)
    .reduce((one, other) => isNewer(other, one) ? other : one);
  return `${repository}@${tagOf(newest)}`;
}

function isNewer(one: string, other: string): boolean {
  const mine = numbersOf(one);
  const theirs = numbersOf(other);
  const index = mine.findIndex((number, place) => number !== theirs[place]);
  return index !== -1 && mine[index]! > theirs[index]!;
}

function numbersOf(tag: string): number[] {
  return TAG.exec(tag)!.slice(1).map(Number);
}

function tagOf(version: string): string {
  return `v${version.replace(/^v/, "")}`;
}
