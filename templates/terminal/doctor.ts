import type { Examined } from "../../lib/setup/doctor/examine.ts";
import type { Verdict } from "../../lib/setup/doctor/facts.ts";
import { column } from "../../lib/text/columns.ts";
import { paint } from "../../lib/text/paint.ts";
import { wrap } from "./lines.ts";

/** The findings about a repository, `owner/name` if it is known. */
interface Diagnosis {
  repository?: string;
  findings: readonly Examined[];
}

const SIGNS: Readonly<Record<Verdict, () => string>> = {
  well: () => paint.green("✔"),
  change: () => paint.red("✘"),
  note: () => paint.yellow("▲"),
  unexamined: () => paint.dim("?"),
};

/** Columns of the names of examinations, and before the texts. */
const NAME = 14;
const MARGIN = NAME + 4;

/** Formats findings with their cures; what couldn't be examined is grouped by reason. */
export function doctorText({ repository, findings }: Diagnosis, columns: number): string {
  const { examined = [], unexamined = [] } = Object.groupBy(
    findings,
    ({ verdict }) => verdict === "unexamined" ? "unexamined" : "examined",
  );
  const byReason = Map.groupBy(unexamined, ({ says }) => says);
  return [
    ...repository === undefined ? [] : [`${repository}\n`],
    ...examined.flatMap((one, index) => {
      const isRepeated = examined[index - 1]?.examination === one.examination;
      return findingLines(one, isRepeated ? "" : one.examination, columns);
    }),
    ...[...byReason].map(([reason, ones]) => {
      const names = [...new Set(ones.map(({ examination }) => examination))].join(", ");
      const lines = wrap(`${names}: not examined, ${reason}`, columns - 2);
      return `${SIGNS.unexamined()} ${lines.join("\n  ")}`;
    }),
    "",
    conclusion(findings),
  ].join("\n");
}

function findingLines({ verdict, says, cure }: Examined, name: string, columns: number): string[] {
  const room = Math.max(20, columns - MARGIN);
  const [first = "", ...more] = wrap(says, room);
  const cures = cure === undefined ? [] : wrap(cure, room - 2)
    .map((line, index) => `${index === 0 ? "→" : " "} ${line}`);
  return [
    `${SIGNS[verdict]()} ${column(name, NAME)}  ${first}`,
    ...[...more, ...cures].map((line) => " ".repeat(MARGIN) + line),
  ];
}

function conclusion(findings: readonly Examined[]): string {
  const number = (verdict: Verdict) => findings.filter((one) => one.verdict === verdict).length;
  const changes = number("change");
  const hidden = number("unexamined") > 0 ? ", as far as could be seen" : "";
  if (changes === 0) return `${SIGNS.well()} Nothing has to be changed${hidden}.`;
  const things = changes === 1 ? "One thing has" : `${changes} things have`;
  return `${SIGNS.change()} ${things} to be changed${hidden}.`;
}

/** Data for `doctor --json`. */
export function doctorJson({ repository, findings }: Diagnosis): unknown {
  return {
    repository: repository ?? null,
    well: findings.every(({ verdict }) => verdict !== "change"),
    findings: findings.map(({ examination, verdict, says, cure }) => ({
      examination,
      verdict,
      says,
      cure: cure ?? null,
    })),
  };
}
