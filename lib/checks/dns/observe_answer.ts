import type { Failure, Observation, ProbeContext } from "../check.ts";
import { endpoint, networkFailure, TimeLimitError } from "../network_failure.ts";
import { type Answer, ask, type NameServer } from "./ask.ts";
import type { Question, Reply } from "./message.ts";
import { matches } from "./records.ts";
import type { RecordType } from "../../config/checks/dns.ts";

/** What an answer has to hold, and what may be said of it. */
export interface Wanted extends Pick<ProbeContext, "signal" | "detailed"> {
  /** All of them must be among the records; `shown` is each as configured. */
  expected: readonly { text: string; shown: string }[];
  /** Milliseconds until an answer must be there. */
  limit: number;
  /** The name, where it may be shown. */
  shown?: string;
  /** The name as configured. */
  configured: string;
  showsServer: boolean;
}

/** Asks a question once, and observes the answer. */
export async function observeAnswer(
  question: Question,
  servers: readonly NameServer[],
  wanted: Wanted,
): Promise<Observation> {
  const { limit, shown, detailed } = wanted;
  const time = new AbortController();
  const timer = setTimeout(() => time.abort(new TimeLimitError(limit)), limit);
  const start = performance.now();
  let answer: Answer | undefined;
  let failure: Failure | undefined;
  try {
    answer = await ask(question, servers, AbortSignal.any([time.signal, wanted.signal]));
  } catch (error) {
    failure = networkFailure(error as Error, {
      stage: wanted.showsServer
        ? `waiting for the name server ${servers.map(shownServer).join(", ")}`
        : "waiting for the name server",
      host: wanted.showsServer ? shownServer(servers[0]!) : undefined,
    });
  } finally {
    clearTimeout(timer);
  }
  const responseTime = performance.now() - start;
  if (answer !== undefined) failure = judgeReply(answer.reply, question.type, wanted);
  const { reply, server } = answer ?? {};
  return {
    code: failure === undefined ? 200 : 0,
    responseTime,
    ...(reply === undefined
      ? {}
      : { phases: { dns: responseTime, connect: 0, tls: 0, ttfb: 0, download: 0 } }),
    ...(failure === undefined ? {} : { failure }),
    ...(detailed
      ? {
        details: {
          hops: [{ method: question.type, url: wanted.configured, words: reply?.code }],
          resolver: server !== undefined && wanted.showsServer ? shownServer(server) : undefined,
          answers: shown === undefined ? undefined : reply?.records,
        },
      }
      : {}),
  };
}

function shownServer({ address, port }: NameServer): string {
  return port === 53 ? address : endpoint(address, port);
}

/** Why a reply is not the one wanted. A server without a network of its own says SERVFAIL. */
function judgeReply(
  { code, records }: Reply,
  type: RecordType,
  { expected, shown }: Wanted,
): Failure | undefined {
  const name = shown === undefined ? "the name" : shown;
  if (code === "NXDOMAIN") return { kind: "answer", reason: `${name} does not exist (NXDOMAIN)` };
  if (code === "SERVFAIL") {
    const reason = `the name server could not find an answer for ${name} (SERVFAIL)`;
    return { kind: "network", reason };
  }
  if (code === "REFUSED") {
    return { kind: "answer", reason: `the name server refuses to answer for ${name} (REFUSED)` };
  }
  if (code !== "NOERROR") return { kind: "answer", reason: `the name server answered ${code}` };
  if (records.length === 0) return { kind: "answer", reason: `${name} has no ${type} record` };
  const missing = expected.filter(({ text }) => !records.some((one) => matches(type, one, text)));
  if (missing.length === 0) return undefined;
  // Records may name what they are about.
  const came = shown === undefined ? "something else" : records.join(", ");
  const reason = `expected ${missing.map(({ shown }) => shown).join(", ")}, found ${came}`;
  return { kind: "answer", reason };
}
