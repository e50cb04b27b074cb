import { queryName } from "../config/checks/dns.ts";
import { isDomain } from "../config/checks/domain.ts";
import { http } from "../config/checks/http.ts";
import type { CheckSettings } from "../config/checks/mod.ts";
import { parseJson } from "../text/safe_parse.ts";
import { DAY } from "../time.ts";
import {
  chooseDelay,
  evaluateRegistration,
  findServer,
  readAnswer,
} from "./domain/registration.ts";
import { ask } from "./http/ask.ts";
import { statusWords } from "./network_failure.ts";
import {
  misconfigured,
  missingSecrets,
  type Observation,
  type Probe,
  type ProbeContext,
  type Registration,
} from "./observation.ts";

type DomainSite = CheckSettings<"domain">;

/** A question to which there is no answer; the message is the reason. */
class LookupError extends Error {}

/** Evaluates when a domain expires. The registry is asked once a day, more often when it matters. */
export const domain: Probe<DomainSite> = async (site, context) => {
  const { secrets, now, registration: kept } = context;
  const address = secrets.substitute(site.url);
  if (address.missing.length > 0) return missingSecrets(address.missing, secrets);
  const name = queryName(address.text);
  if (!isDomain(name)) return misconfigured("a check of type domain needs a domain in its url");
  if (site.expires !== undefined) {
    const expires = Temporal.Instant.from(`${site.expires}T00:00:00Z`);
    return toObservation(site, { expires }, now);
  }
  const known = kept?.domain === queryName(site.url) ? kept : undefined;
  const registration = known !== undefined && Temporal.Instant.compare(now, known.next) < 0
    ? known
    : await askRegistry(name, site, context, known);
  return { ...toObservation(site, registration, now), registration };
};

function toObservation(
  { url, expiresWithin }: DomainSite,
  registration: Partial<Registration>,
  now: Temporal.Instant,
): Observation {
  const evaluated = evaluateRegistration(registration, now, expiresWithin);
  const { expires, status } = registration;
  return {
    code: evaluated.failure === undefined ? 200 : 0,
    responseTime: 0,
    // The registry's speed says nothing about the domain.
    isUnmeasured: true,
    ...evaluated,
    details: {
      hops: [{ method: "RDAP", url, words: "known" }],
      answers: [
        ...expires === undefined ? [] : [`expires ${expires}`],
        ...status === undefined ? [] : [`status ${status}`],
      ],
    },
  };
}

/** Asks the registry of a domain. If it gives no answer, what was known before stays. */
async function askRegistry(
  name: string,
  site: DomainSite,
  context: ProbeContext,
  before: Registration | undefined,
): Promise<Registration> {
  const { now, secrets } = context;
  let known: Partial<Registration>;
  try {
    const base = await findBase(name, site, context);
    const answer = await readJson(`${base}domain/${name}`, "the registry", site, context);
    const read = readAnswer(answer);
    if (read === undefined) throw new LookupError("the registry's answer is not RDAP");
    known = read;
  } catch (error) {
    if (!(error instanceof LookupError)) throw error;
    known = { ...before, fault: secrets.redact(error.message) };
  }
  const next = now.add({ milliseconds: chooseDelay(known, now) });
  return { ...known, domain: queryName(site.url), next };
}

async function findBase(name: string, site: DomainSite, context: ProbeContext): Promise<string> {
  if (!/\.json$/i.test(site.rdap)) return site.rdap.replace(/\/?$/, "/");
  const base = findServer(await readList(site, context), name);
  if (base !== undefined) return base;
  const suffix = name.slice(name.lastIndexOf("."));
  throw new LookupError(`no RDAP server of ${suffix} is known: add rdap: or expires:`);
}

/** Lists of servers by their address: one serves all domains, and changes rarely. */
const LISTS = new Map<string, { until: number; list: Promise<unknown> }>();

async function readList(site: DomainSite, context: ProbeContext): Promise<unknown> {
  const { rdap } = site;
  const time = context.now.epochMilliseconds;
  const known = LISTS.get(rdap);
  if (known !== undefined && time < known.until) return await known.list;
  const list = readJson(rdap, "the list of RDAP servers", site, context);
  LISTS.set(rdap, { until: time + DAY, list });
  try {
    return await list;
  } catch (error) {
    LISTS.delete(rdap);
    throw error;
  }
}

async function readJson(
  url: string,
  what: string,
  { connectTimeout, requestTimeout, userAgent }: DomainSite,
  context: ProbeContext,
): Promise<unknown> {
  const headers = ["Accept: application/rdap+json, application/json"];
  const target = { url, connectTimeout, requestTimeout, userAgent };
  const { target: request } = http.read(target, { headers });
  const { observation: { failure }, answer } = await ask(request!, context, { keepsBody: true });
  if (answer === undefined) {
    throw new LookupError(`${what} can't be asked: ${failure?.reason ?? "no answer"}`);
  }
  const { status, body } = answer;
  if (status === 404) {
    throw new LookupError(
      `${what} does not know the domain: give it as it is registered, without www`,
    );
  }
  if (status !== 200) throw new LookupError(`${what} answered ${statusWords(status)}`);
  const parsed = parseJson(body);
  if (parsed === undefined) throw new LookupError(`${what} gave an answer that is not JSON`);
  return parsed;
}
