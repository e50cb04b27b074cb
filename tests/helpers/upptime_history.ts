import { appendRows, type CheckRow, checksPath } from "../../lib/history/checks_log.ts";
import { git } from "./scratch.ts";

/** A commit that Upptime made of a check. */
export interface UpptimeCommit {
  row: CheckRow;
  /** Milliseconds in the commit, also of a failure; 0 if it has none. */
  ms: number;
}

/**
 * The checks in the commits of a site's record, oldest first. The state is in the prefix, or in a word if
 * the prefix was customized.
 */
export async function upptimeCommits(folder: string, slug: string): Promise<UpptimeCommit[]> {
  const log = await git(
    folder,
    "log",
    "--reverse",
    "--format=%H %cI %s",
    "--",
    `history/${slug}.yml`,
  );
  return log.split("\n").flatMap((line): UpptimeCommit[] => {
    const [, hash, time, subject] = /^(\w+) (\S+) (.*)$/.exec(line)!;
    const numbers = /\((\d+) in (\d+) ms\)/.exec(subject!);
    if (numbers === null) return [];
    const [code, ms] = [Number(numbers[1]), Number(numbers[2])];
    const state = subject!.startsWith("🟩") || / up \(/.test(subject!)
      ? "up"
      : subject!.startsWith("🟨") || / degraded \(/.test(subject!)
      ? "degraded"
      : "down";
    const found = state !== "down" && ms > 0 ? { ms } : {};
    return [{
      ms,
      row: {
        time: Temporal.Instant.from(time!),
        run: hash!.slice(0, 8),
        slug,
        state,
        code,
        ...found,
        attempts: 1,
        location: "upptime",
      },
    }];
  });
}

/** Our logs with the checks of commits, by path. */
export function logsOf(commits: readonly UpptimeCommit[]): Map<string, string> {
  const logs = Map.groupBy(commits.map(({ row }) => row), ({ time }) => checksPath(time));
  return new Map([...logs].map(([path, rows]) => [path, appendRows(undefined, rows)]));
}
