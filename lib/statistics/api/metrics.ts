import { findResponseTime } from "../../history/record.ts";
import { WINDOW_NAMES } from "../../history/windows.ts";
import type { LocationReport } from "../report/location_reports.ts";
import { currentCondition, type Report, type SiteReport } from "../report/report.ts";
import { type ResponseTimes, roundShare, type Statistics } from "../statistics.ts";
import { type Condition, isCondition, isSuccess } from "../../state.ts";

interface Sample {
  value: number;
  labels?: Readonly<Record<string, string>>;
}

/** A metric family of OpenMetrics. */
interface Family {
  /** Ends in the unit, if there is one. */
  name: string;
  /** @default {"gauge"} */
  type?: "gauge" | "summary";
  help: string;
  /** The values of one site; none without data. */
  samples(site: SiteReport): Sample[];
}

const FAMILIES: readonly Family[] = [
  {
    // Static servers send files as plain text, in which Prometheus knows no type `info`.
    name: "monitor_site_info",
    help: "A monitored site.",
    samples: ({ site: { name, group } }) => [
      { value: 1, labels: { name, ...group === undefined ? {} : { group } } },
    ],
  },
  {
    name: "monitor_up",
    help: "1 if the site is up or degraded, 0 if it is down; absent without data.",
    samples: ofCondition((condition) => condition !== "down"),
  },
  {
    name: "monitor_degraded",
    help: "1 if the site is degraded.",
    samples: ofCondition((condition) => condition === "degraded"),
  },
  {
    name: "monitor_incident_open",
    help: "1 if an incident of the site is open.",
    samples: ({ record }) => record === undefined ? [] : [flag(record.incident !== undefined)],
  },
  {
    name: "monitor_last_check_timestamp_seconds",
    help: "The last check that had a result, or was made in maintenance.",
    samples: ({ record, lastCheck = record?.lastUpdated }) =>
      record === undefined || lastCheck === undefined
        ? []
        : [{ value: inSeconds(lastCheck.epochMilliseconds) }],
  },
  {
    name: "monitor_response_time_seconds",
    help: "Response time of the last check; absent if it failed or measured none.",
    samples: ({ record }) => {
      const time = record && findResponseTime(record);
      return time === undefined ? [] : [{ value: inSeconds(time) }];
    },
  },
  {
    name: "monitor_location_up",
    help:
      "1 if the last result from the location was up or degraded, 0 if it was down; absent without a current one.",
    samples: ofLocations(({ state }) => isCondition(state) ? flag(state !== "down") : undefined),
  },
  {
    name: "monitor_location_degraded",
    help: "1 if the last result from the location was degraded.",
    samples: ofLocations(({ state }) =>
      isCondition(state) ? flag(state === "degraded") : undefined
    ),
  },
  {
    name: "monitor_location_response_time_seconds",
    help: "Response time of the last check from the location; absent if it failed or is too old.",
    samples: ofLocations(({ state, last }) =>
      isSuccess(state) && last?.ms !== undefined ? { value: inSeconds(last.ms) } : undefined
    ),
  },
  {
    name: "monitor_window_response_time_seconds",
    type: "summary",
    help: "Response times of successful checks in a window.",
    samples: ofWindows(({ responseTimes }) =>
      responseTimes === undefined ? [] : quantiles(responseTimes)
    ),
  },
  {
    name: "monitor_uptime_ratio",
    help: "Share of the observed time in a window that the site was up, without maintenance.",
    samples: ofWindows(({ uptime }) => ratio(uptime)),
  },
  {
    name: "monitor_coverage_ratio",
    help: "Share of a window that was observed.",
    samples: ofWindows(({ coverage }) => ratio(coverage)),
  },
  {
    name: "monitor_outages",
    help: "Times of being down that overlap a window.",
    samples: ofWindows(({ outages, observed }) => observed === 0 ? [] : [{ value: outages }]),
  },
];

/** Formats the metrics of sites in the text format of OpenMetrics 1.0. */
export function formatMetrics({ sites }: Pick<Report, "sites">): string {
  const families = FAMILIES.flatMap((family) => {
    const samples = sites.flatMap((site) =>
      family.samples(site).map((sample) => line(family, site.site.slug, sample))
    );
    return samples.length === 0 ? [] : [...describe(family), ...samples];
  });
  return [...families, "# EOF"].map((text) => `${text}\n`).join("");
}

function describe({ name, type = "gauge", help }: Family): string[] {
  const unit = /_(seconds|ratio)$/.exec(name)?.[1];
  const own = unit === undefined ? [] : [`# UNIT ${name} ${unit}`];
  return [`# TYPE ${name} ${type}`, ...own, `# HELP ${name} ${help}`];
}

function line({ name }: Family, site: string, { value, labels }: Sample): string {
  const pairs = Object.entries({ site, ...labels }).map(([label, text]) =>
    `${label}="${escapeLabel(text)}"`
  );
  return `${name}{${pairs.join(",")}} ${value}`;
}

function escapeLabel(text: string): string {
  return text.toWellFormed().replace(/[\\"\n]/g, (sign) => sign === "\n" ? "\\n" : `\\${sign}`);
}

function ofCondition(holds: (condition: Condition) => boolean): Family["samples"] {
  return (site) => {
    const condition = currentCondition(site);
    return condition === undefined ? [] : [flag(holds(condition))];
  };
}

/** The figure of each location of a site that several check. */
function ofLocations(sample: (location: LocationReport) => Sample | undefined): Family["samples"] {
  return ({ locations = [] }) =>
    locations.flatMap((location) => {
      const found = sample(location);
      return found === undefined ? [] : [{ ...found, labels: { location: location.name } }];
    });
}

function ofWindows(samples: (own: Statistics) => Sample[]): Family["samples"] {
  return ({ statistics }) =>
    WINDOW_NAMES.flatMap((window) =>
      samples(statistics[window]).map(({ value, labels }) => ({
        value,
        labels: { window, ...labels },
      }))
    );
}

function quantiles({ p50, p95, p99 }: ResponseTimes): Sample[] {
  return Object.entries({ 0.5: p50, 0.95: p95, 0.99: p99 }).map(([quantile, milliseconds]) => ({
    value: inSeconds(milliseconds),
    labels: { quantile },
  }));
}

function ratio(share: number | undefined): Sample[] {
  return share === undefined ? [] : [{ value: roundShare(share, 6) }];
}

function flag(holds: boolean): Sample {
  return { value: holds ? 1 : 0 };
}

function inSeconds(milliseconds: number): number {
  return Math.round(milliseconds) / 1000;
}
