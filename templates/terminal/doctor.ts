import type { Examined } from "../../lib/setup/doctor/examine.ts";
import type { Verdict } from "../../lib/setup/doctor/facts.ts";
import { paint } from "../../lib/text/paint.ts";
import { wrap } from "../../lib/text/wrap.ts";
import { count } from "../words.ts";
import { joinParts } from "./lines.ts";

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

/** Formats findings with their cures; what couldn't be examined for one reason shares a line. */
export function doctorText({ repository = "", findings }: Diagnosis, columns: number): string {
  const groups = Map.groupBy(findings, (one) => one.verdict === "unexamined" ? one.says : one);
  const lines = [...groups.values()].map((own) => {
    const { verdict, says, cure } = own[0]!;
    const names = [...new Set(own.map(({ examination }) => examination))].join(", ");
    const text = `${names}: ${says}${cure === undefined ? "" : `\n→ ${cure}`}`;
    return `${SIGNS[verdict]()} ${wrap(text, columns - 2).join("\n  ")}`;
  });
  const number = (wanted: Verdict) => findings.filter(({ verdict }) => verdict === wanted).length;
  const changes = number("change");
  const hidden = number("unexamined") > 0 ? ", as far as could be examined" : "";
  const conclusion = changes === 0
    ? `${SIGNS.well()} Nothing needs to be changed${hidden}.`
    : `${SIGNS.change()} ${count(changes, "change")} needed${hidden}.`;
  return joinParts(repository, lines.join("\n"), conclusion);
}

export function doctorJson({ repository, findings }: Diagnosis): unknown {
  return {
    repository: repository ?? null,
    well: findings.every(({ verdict }) => verdict !== "change"),
    findings: findings.map(({ examination, verdict, says, cure }) => (
      { examination, verdict, says, cure: cure ?? null }
    )),
  };
}
