import type { Git } from "../git/git.ts";
import { fetchMissing } from "../git/objects.ts";
import { isUpptimeSummary, UPPTIME_CONFIG } from "../config/upptime/repository.ts";
import { INCIDENTS_FOLDER } from "../history/incident.ts";
import { SUMMARY_PATH } from "../statistics/summary.ts";
import { DAY } from "../time.ts";
import { HISTORY_FOLDER, recordPath } from "../config/record_path.ts";
import { parseMessage, parseVersion, type UpptimeCheck } from "./parse_version.ts";

/** A version of one of Upptime's records, and what it is. */
export interface Version {
  /** Name of the file without its ending: Upptime's slug. */
  file: string;
  commit: string;
  /** Milliseconds since 1970. */
  committed: number;
  /** True if its commit has no parent: it may be a copy of Upptime's template. */
  isInRoot: boolean;
  /** `message` if the file's text is not here, and the commit's message was read instead. */
  source: "file" | "message";
  /** The check; absent if it is none. */
  check?: UpptimeCheck;
  /** Why it is no check. */
  fault?: "ours" | "foreign" | "missing";
}

/** A version of another of Upptime's files. */
export interface TextVersion {
  /** Milliseconds since 1970. */
  committed: number;
  text: string;
}

/** A line of `git log --raw`: a file's new content. */
interface Entry extends Pick<Version, "commit" | "committed" | "isInRoot"> {
  path: string;
  blob: string;
  message: string;
}

const NOTHING = /^0+$/;

/**
 * Reads every version of Upptime's records and configuration from the commits of a revision: one `git log` names them, and
 * one `git cat-file` yields their texts. (`git log -p` does both at once, but ends at the first text that is missing,
 * as a clone with a filter has them.) Merges are left out, as `git log --raw` does: their versions are in the
 * commits that they join. Each list is from the oldest to the newest; `deletions` is the number of deleted records.
 */
export async function readVersions(
  git: Git,
  revision: string,
  onProgress: (done: number, all: number) => void,
) {
  // Two logs, because git leaves out each side of a merge that changed none of the paths it is given.
  const [{ entries: records, deletions }, log] = await Promise.all([
    readLog(git, revision, [`:(glob)${recordPath("**/*")}`, `:(exclude)${INCIDENTS_FOLDER}/`]),
    readLog(git, revision, [UPPTIME_CONFIG, SUMMARY_PATH]),
  ]);
  const others = withoutFrequentSummaries(log.entries);
  const whole = new Set(others.map(({ blob }) => blob));
  const blobs = [...new Set([...records.map(({ blob }) => blob), ...whole])];
  const paths = [HISTORY_FOLDER, UPPTIME_CONFIG];
  const missing = await fetchMissing(git, { revision, paths, wanted: new Set(blobs) });
  const wanted = blobs.filter((blob) => !missing.has(blob));
  const texts = new Map<string, string>();
  const parsed = new Map<string, ReturnType<typeof parseVersion>>();
  let done = 0;
  for await (const [blob, text] of readTexts(git, wanted)) {
    if (whole.has(blob)) texts.set(blob, text);
    parsed.set(blob, parseVersion(text));
    if (++done % 1000 === 0) onProgress(done, wanted.length);
  }
  const versions = records.map(({ path, blob, message, commit, committed, isInRoot }): Version => {
    const file = path.slice(HISTORY_FOLDER.length + 1, -".yml".length);
    const origin = { file, commit, committed, isInRoot };
    const found = parsed.get(blob);
    if (typeof found === "object") return { ...origin, source: "file", check: found };
    if (found !== undefined) return { ...origin, source: "file", fault: found };
    const check = parseMessage(message, committed);
    return { ...origin, source: "message", check, fault: check ? undefined : "missing" };
  });
  const selectTexts = (wanted: string) =>
    others.flatMap(({ path, blob, committed }): TextVersion[] => {
      const text = path === wanted ? texts.get(blob) : undefined;
      return text === undefined ? [] : [{ committed, text }];
    });
  const summaries = selectTexts(SUMMARY_PATH).filter(({ text }) => isUpptimeSummary(text));
  return { versions, configs: selectTexts(UPPTIME_CONFIG), summaries, deletions };
}

/** Leaves out summaries that are followed by another one within four weeks: each tells of the year before it. */
function withoutFrequentSummaries(entries: readonly Entry[]): readonly Entry[] {
  let next = Infinity;
  return entries.toReversed().filter(({ path, committed }) => {
    if (path !== SUMMARY_PATH) return true;
    if (committed > next - 28 * DAY) return false;
    next = committed;
    return true;
  }).reverse();
}

/** The versions of some files in the log, from the oldest to the newest, and the number of their deletions. */
async function readLog(
  git: Git,
  revision: string,
  paths: readonly string[],
): Promise<{ entries: Entry[]; deletions: number }> {
  const entries: Entry[] = [];
  let deletions = 0;
  let commit: Pick<Entry, "commit" | "committed" | "isInRoot" | "message"> | undefined;
  let blob: string | undefined;
  const format = "--format=commit %H %ct [%P] %s";
  const log = git.stream([
    ...["-c", "log.showRoot=true", "log", "--no-show-signature", "-z", "--raw"],
    ...["--no-abbrev", "--no-renames", format, revision, "--"],
    ...paths,
  ]);
  for await (const raw of splitAtNul(log)) {
    const token = raw.replace(/^\n/, "");
    if (blob !== undefined) {
      if (NOTHING.test(blob)) deletions++;
      else entries.push({ ...commit!, path: token, blob });
      blob = undefined;
    } else if (token.startsWith("commit ")) {
      const [, name, seconds, parents, message] = /^commit (\S+) (\d+) \[(.*?)\] (.*)$/s.exec(
        token,
      )!;
      const committed = Number(seconds) * 1000;
      commit = { commit: name!, committed, isInRoot: parents === "", message: message! };
    } else if (token.startsWith(":")) {
      blob = token.split(" ")[3]!;
    }
  }
  return { entries: entries.reverse(), deletions };
}

async function* splitAtNul(parts: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const part of parts) {
    const tokens = (rest + decoder.decode(part, { stream: true })).split("\0");
    rest = tokens.pop()!;
    yield* tokens;
  }
  if (rest !== "") yield rest;
}

const LINE_END = 0x0a;

/** Texts of blobs by their names; those that are missing are left out. */
async function* readTexts(
  git: Git,
  blobs: readonly string[],
): AsyncGenerator<[blob: string, text: string]> {
  if (blobs.length === 0) return;
  const decoder = new TextDecoder();
  const input = new TextEncoder().encode(blobs.map((blob) => `${blob}\n`).join(""));
  let rest = new Uint8Array();
  for await (const part of git.stream(["cat-file", "--batch", "--buffer"], [input])) {
    const bytes = new Uint8Array(rest.length + part.length);
    bytes.set(rest);
    bytes.set(part, rest.length);
    let offset = 0;
    while (true) {
      const end = bytes.indexOf(LINE_END, offset);
      if (end === -1) break;
      const [blob, type, size] = decoder.decode(bytes.subarray(offset, end)).split(" ");
      if (type === "missing") {
        offset = end + 1;
        continue;
      }
      const next = end + 1 + Number(size);
      if (next >= bytes.length) break;
      yield [blob!, decoder.decode(bytes.subarray(end + 1, next))];
      offset = next + 1;
    }
    rest = bytes.subarray(offset);
  }
}
