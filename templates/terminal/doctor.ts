import { column } from "../../lib/text/columns.ts";
import type { Examined } from "../../lib/setup/doctor/examine.ts";
import type { Verdict } from "../../lib/setup/doctor/facts.ts";
import { paint } from "../../lib/text/paint.ts";
import { wrap } from "./lines.ts";

interface Diagnosis {
  /** `owner/name`; absent where nothing tells which it is. */
  repository?: string;
  findings: readonly Examined[];
}

const SIGNS: Readonly<Record<Verdict, () => string>> = {
  well: () => paint.green("✔"),
  change: () => paint.red("✘"),
  note: () => paint.yellow("▲"),
  unexamined: () => paint.dim("?"),
};

/** Columns of the names of examinations, the sign before them, and what is between. */
const NAME = 14;
const MARGIN = NAME + 4;

export function doctorText({ repository, findings }: Diagnosis, columns: number): string {
  const seen = findings.filter(({ verdict }) => verdict !== "unexamined");
  return [
    ...repository === undefined ? [] : [`${repository}\n`],
    ...seen.flatMap((one, index) => lines(one, seen[index - 1], columns)),
    ...unseen(findings, columns),
    "",
    conclusion(findings),
  ].join("\n");
}

function lines(
  { examination, verdict, says, cure }: Examined,
  before: Examined | undefined,
  columns: number,
): string[] {
  const name = before?.examination === examination ? "" : examination;
  const room = Math.max(20, columns - MARGIN);
  const [first = "", ...more] = wrap(says, room);
  const cures = cure === undefined ? [] : wrap(cure, room - 2);
  return [
    `${SIGNS[verdict]()} ${column(name, NAME)}  ${first}`,
    ...[...more, ...cures.map((line, index) => `${index === 0 ? "→" : " "} ${line}`)]
      .map((line) => " ".repeat(MARGIN) + line),
  ];
}

function unseen(findings: readonly Examined[], columns: number): string[] {
  const hidden = findings.filter(({ verdict }) => verdict === "unexamined");
  const reasons = [...Map.groupBy(hidden, ({ says }) => says)];
  return reasons.flatMap(([why, ones]) => {
    const names = [...new Set(ones.map(({ examination }) => examination))].join(", ");
    const [first, ...more] = wrap(`${names}: not examined, ${why}`, columns - 2);
    return [`${SIGNS.unexamined()} ${first}`, ...more.map((line) => `  ${line}`)];
  });
}

function conclusion(findings: readonly Examined[]): string {
  const number = (verdict: Verdict) => findings.filter((one) => one.verdict === verdict).length;
  const changes = number("change");
  const hidden = number("unexamined") > 0 ? ", as far as could be seen" : "";
  if (changes === 0) return `${SIGNS.well()} Nothing has to be changed${hidden}.`;
  const things = changes === 1 ? "One thing has" : `${changes} things have`;
  return `${SIGNS.change()} ${things} to be changed${hidden}.`;
}

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
