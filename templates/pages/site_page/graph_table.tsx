import { type GraphRow, graphRows } from "../../../lib/page/graph_rows.ts";
import type { Graph } from "../../../lib/statistics/graph.ts";
import { DAY } from "../../../lib/time.ts";
import type { Language } from "../language.ts";

/** About as many rows has a table at most. */
const MOST_ROWS = 31;

/** All that a graph shows, in words. */
export function GraphTable({ graph, language }: { graph: Graph; language: Language }) {
  const { length, rows } = graphRows(graph, MOST_ROWS);
  if (rows.length === 0) return null;
  const from = length < DAY ? language.brief : language.fullDay;
  return (
    <details>
      <summary>{language.say("graphTable")}</summary>
      <table>
        <thead>
          <tr>
            <th scope="col">{language.say("graphFrom")}</th>
            <th scope="col">{language.say("median")}</th>
            <th scope="col">{language.say("p95")}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr>
              <th scope="row">
                {from(row.from)}
                <States row={row} language={language} />
              </th>
              <td>{row.median && range(row.median, language)}</td>
              <td>{row.p95 !== undefined && language.milliseconds(row.p95)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}

/** Which states there were beside up, and how long. */
function States({ row: { states }, language }: { row: GraphRow; language: Language }) {
  if (states.length === 0) return null;
  const words = states.map(([state, seconds]) =>
    language.say("stateFor", {
      STATE: language.say(state),
      TIME: language.duration(seconds),
    })
  );
  return (
    <>
      {" "}
      <span class="muted">{words.join(", ")}</span>
    </>
  );
}

function range([low, high]: readonly [number, number], language: Language): string {
  const [LOW, HIGH] = [language.number(Math.round(low)), language.number(Math.round(high))];
  return LOW === HIGH
    ? language.milliseconds(low)
    : language.say("rangeTo", { LOW, HIGH: language.milliseconds(high) });
}
