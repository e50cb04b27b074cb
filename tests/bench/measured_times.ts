import { against, median, percentile } from "./figures.ts";
import { measureCurl } from "./measure_curl.ts";
import { makeBenchRepository } from "./measure_update.ts";
import type { BenchPart } from "./part.ts";

const DELAYS = [20, 100, 500];
const SITES: Readonly<Record<number, number>> = { 1: 20, 64: 200, 200: 200 };
const CURL_TIMES = 20;

/** The aims are for this many sites at once. */
const AIMED_AT = 64;
/** Milliseconds that the median and the 99th percentile may lie above those of curl. */
const MOST = { median: 1, tail: 10 };

/** The error of measured times, next to curl's. */
export const measuredTimes: BenchPart = {
  title: "Error of the measured time",
  note:
    "ms beyond what the server waits, so that a TLS handshake counts; curl looks at one site after the other",
  async measure({ servers, curl, runs, progress }) {
    const rows = [[
      "over",
      "answer in",
      "at once",
      "median",
      "curl",
      "beyond",
      "aim",
      "99th",
      "curl",
      "beyond",
      "aim",
    ]];
    for (const scheme of ["http", "https"] as const) {
      for (const delay of DELAYS) {
        progress(`curl, ${scheme} sites of ${delay} ms`);
        const times = CURL_TIMES * runs;
        const known = curl ? await measureCurl({ scheme, delay, times }, servers) : [];
        for (const [concurrency, sites] of Object.entries(SITES)) {
          progress(`${sites} ${scheme} sites of ${delay} ms, ${concurrency} at once`);
          const errors: number[] = [];
          const load = { scheme, sites, delay, concurrency: Number(concurrency) };
          await using repository = await makeBenchRepository(load, servers);
          for (let run = 1; run <= runs; run++) errors.push(...(await repository.update()).errors);
          const aimed = Number(concurrency) === AIMED_AT && curl;
          rows.push([
            scheme,
            `${delay} ms`,
            concurrency,
            ...compare(median(errors), median(known), aimed ? MOST.median : undefined),
            ...compare(
              percentile(errors, 0.99),
              percentile(known, 0.99),
              aimed ? MOST.tail : undefined,
            ),
          ]);
        }
      }
    }
    return rows;
  },
};

function compare(ours: number, curls: number, aim: number | undefined): string[] {
  const beyond = ours - curls;
  const figures = [ours, curls, beyond].map((figure) =>
    Number.isNaN(figure) ? "none" : figure.toFixed(1)
  );
  return [...figures, aim === undefined ? "" : against(beyond, aim)];
}
