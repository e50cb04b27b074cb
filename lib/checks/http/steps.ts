import type { Source } from "../../config/checks/assertions/parse.ts";
import type { CheckSettings } from "../../config/checks/mod.ts";
import type { Step } from "../../config/checks/steps.ts";
import type { Secrets } from "../../io/secrets/secrets.ts";
import { publicUrl } from "../../io/secrets/url_credentials.ts";
import { type Answer, findSubjectValue } from "../assertions/evaluate.ts";
import { createMatcher, PatternError } from "../assertions/patterns.ts";
import {
  type Failure,
  misconfigured,
  type Observation,
  type Phases,
  type ProbeContext,
} from "../observation.ts";
import { withTimeLimit } from "../timing.ts";
import { ask } from "./ask.ts";

type HttpSite = CheckSettings<"http">;

/** Characters of a value: each is looked for in all that is shown. */
const LONGEST_SAVED = 8 * 1024;

/**
 * Makes the requests of a site in order, within its requestTimeout together; the first that fails ends the check.
 * Saved values are secrets of this check alone: what it returns is redacted.
 */
export async function takeSteps(
  site: HttpSite,
  steps: readonly Step[],
  context: ProbeContext,
): Promise<Observation> {
  let { secrets } = context;
  let total: Observation | undefined;
  await withTimeLimit(site.requestTimeout, context.signal, async (signal) => {
    for (const [index, step] of steps.entries()) {
      const request = toRequest(site, step);
      if (request === undefined) {
        total = misconfigured("a step with a path needs a site whose url names its host");
        return;
      }
      let unsaved: string | undefined;
      const { observation, answer } = await ask(request, { ...context, secrets, signal }, {
        keepsBody: Object.values(step.save).some(({ subject }) => subject.of !== "header"),
        async addSecrets(answer) {
          const { values, missing } = await readSaved(step.save, answer);
          unsaved = missing;
          if (Object.keys(values).length > 0) secrets = secrets.withValues(values);
          return secrets;
        },
      });
      const isRateLimited = answer !== undefined && observation.remark !== undefined;
      const failure: Failure | undefined = observation.failure ??
        (unsaved === undefined || isRateLimited ? undefined : { kind: "answer", reason: unsaved });
      total = addUp(total, { ...observation, failure }, describe(step, index));
      if (failure !== undefined || isRateLimited) return;
    }
  });
  return redactTexts(total!, secrets);
}

/** The request of a step: that of the site, which sends its headers to its own host only. */
function toRequest(site: HttpSite, step: Step): HttpSite | undefined {
  const origin = findOrigin(site.url);
  const isPath = step.url.startsWith("/");
  if (isPath && origin === undefined) return undefined;
  const url = isPath ? `${origin}${step.url}` : step.url;
  const isOwn = origin !== undefined && findOrigin(url) === origin;
  const names = new Set(step.headers.map((line) => headerName(line)));
  const shared = isOwn ? site.headers.filter((line) => !names.has(headerName(line))) : [];
  const { method, body, assert, contains } = step;
  return {
    ...{ ...site, steps: undefined, url, method, body, assert, contains },
    headers: [...shared, ...step.headers],
    expectedStatusCodes: step.expectedStatusCodes ?? site.expectedStatusCodes,
  };
}

function findOrigin(url: string): string | undefined {
  return /^https?:\/\/[^/?#]+/i.exec(url)?.[0];
}

function headerName(line: string): string {
  return line.slice(0, line.indexOf(":")).trim().toLowerCase();
}

function describe({ method, body, url }: Step, index: number): string {
  return `step ${index + 1} (${method ?? (body === undefined ? "GET" : "POST")} ${publicUrl(url)})`;
}

/** Reads the values that a step saves; `missing` is the reason why one of them can't be. */
async function readSaved(
  save: Readonly<Record<string, Source>>,
  answer: Answer,
): Promise<{ values: Record<string, string>; missing?: string }> {
  const match = Object.values(save).some(({ pattern }) => pattern !== undefined)
    ? await createMatcher("group")
    : () => undefined;
  const values: Record<string, string> = {};
  let missing: string | undefined;
  for (const [name, { subject, text, pattern }] of Object.entries(save)) {
    const found = findSubjectValue(subject, answer);
    if ("missing" in found) {
      missing ??= `nothing to save as ${name} (${text}): ${found.missing}`;
      continue;
    }
    try {
      const value =
        (pattern === undefined ? found.text : match(pattern.source, pattern.flags, found.text))
          ?.trim();
      if (value === undefined || value === "") {
        const why = pattern === undefined ? "the value is empty" : "the pattern matches nothing";
        missing ??= `nothing to save as ${name} (${text}): ${why}`;
      } else if (value.length > LONGEST_SAVED) {
        missing ??= `nothing to save as ${name} (${text}): the value is longer than 8 KiB`;
      } else values[name] = value;
    } catch (error) {
      if (!(error instanceof PatternError)) throw error;
      missing ??= `nothing to save as ${name} (${text}): ${error.message}`;
    }
  }
  return { values, missing };
}

/** Adds a step to those before: times and requests are summed, and the certificate of the first one counts. */
function addUp(before: Observation | undefined, step: Observation, name: string): Observation {
  const named = (reason: string) => `${name}: ${reason}`;
  const failure: Failure | undefined = step.failure &&
    { ...step.failure, reason: named(step.failure.reason) };
  const degradation = before?.degradation ?? (step.degradation && named(step.degradation));
  return {
    ...step,
    responseTime: (before?.responseTime ?? 0) + step.responseTime,
    phases: addPhases(before?.phases, step.phases),
    failure,
    degradation,
    expiry: before?.degradation === undefined ? step.expiry : before.expiry,
    certificate: before?.certificate ?? step.certificate,
    details: {
      ...step.details,
      sent: before?.details?.sent ?? step.details?.sent,
      hops: [...before?.details?.hops ?? [], ...step.details?.hops ?? []],
      assertions: [...before?.details?.assertions ?? [], ...step.details?.assertions ?? []],
    },
  };
}

function addPhases(before: Phases | undefined, step: Phases | undefined): Phases | undefined {
  if (before === undefined || step === undefined) return step ?? before;
  const sums = Object.entries(step).map(([phase, time]) => [
    phase,
    before[phase as keyof Phases] + time,
  ]);
  return Object.fromEntries(sums) as Phases;
}

function redactTexts<T>(value: T, secrets: Secrets): T;
function redactTexts(value: unknown, secrets: Secrets): unknown {
  if (typeof value === "string") return secrets.redact(value);
  if (Array.isArray(value)) return value.map((one) => redactTexts(one, secrets));
  if (Object.prototype.toString.call(value) !== "[object Object]") return value;
  const entries = Object.entries(value as object);
  return Object.fromEntries(entries.map(([key, one]) => [key, redactTexts(one, secrets)]));
}
