import { createHash, timingSafeEqual } from "node:crypto";
import { type Beat, parseJobDuration, parseResult } from "./beat.ts";

/** A site that takes beats, and the secret part of its address. */
export interface BeatRoute {
  slug: string;
  secret: string;
  /** True if GET and HEAD count as well. */
  acceptGet: boolean;
}

/** The answer to a request, and the beat in it with the slugs of its sites. */
interface BeatAnswer {
  status: 200 | 400 | 404 | 405;
  text: string;
  beat?: Beat;
  slugs: readonly string[];
}

/** Folder of the addresses. */
export const BEAT_FOLDER = "/beat/";

const LONGEST_ADDRESS = 1_000;

/** True for a text that is long enough to be secret: 22 letters have 128 bits. */
export function isBeatSecret(text: string): boolean {
  return /^[A-Za-z0-9_-]{22,200}$/.test(text);
}

/**
 * Reads a request: `/beat/SECRET` is `ok`; a word or an exit code may follow, and `?duration=90s`. All secrets are
 * compared, each in constant time, and an address that is wrong in any way is answered as an unknown one.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const routes = [{ slug: "backup", secret: "f00dfacef00dfacef00dface", acceptGet: false }];
 * const now = Temporal.Instant.from("2026-11-23T03:04:05Z");
 * const url = "http://127.0.0.1:8090/beat/f00dfacef00dfacef00dface/3?duration=90s";
 * const { beat, slugs } = readBeatRequest({ method: "POST", url }, routes, now);
 * assertEquals([beat, slugs], [{ kind: "fail", code: 3, at: now, duration: 90_000 }, ["backup"]]);
 * ```
 */
export function readBeatRequest(
  { method, url }: Pick<Request, "method" | "url">,
  routes: readonly BeatRoute[],
  now: Temporal.Instant,
): BeatAnswer {
  const unknown: BeatAnswer = { status: 404, text: "unknown address", slugs: [] };
  const { pathname, searchParams } = new URL(url);
  if (url.length > LONGEST_ADDRESS || !pathname.startsWith(BEAT_FOLDER)) return unknown;
  const [secret = "", word = "ok", ...rest] = pathname.slice(BEAT_FOLDER.length)
    .split("/");
  const own = routes.filter((route) => isEqual(route.secret, secret));
  const result = parseResult(word);
  if (own.length === 0 || result === undefined || rest.length > 0) return unknown;
  const isRead = method === "GET" || method === "HEAD";
  const accepting = own.filter(({ acceptGet }) => method === "POST" || (isRead && acceptGet));
  if (accepting.length === 0) {
    return { status: 405, text: "use POST, as in: curl -X POST ADDRESS", slugs: [] };
  }
  const written = searchParams.get("duration");
  const duration = written === null ? undefined : parseJobDuration(written);
  if (written !== null && duration === undefined) {
    return { status: 400, text: "duration is a number of seconds, or 90s or 15m", slugs: [] };
  }
  const beat = { ...result, at: now, ...duration === undefined ? {} : { duration } };
  return { status: 200, text: "ok", beat, slugs: accepting.map(({ slug }) => slug) };
}

function isEqual(one: string, other: string): boolean {
  const [a, b] = [one, other].map((text) => createHash("sha256").update(text).digest());
  return timingSafeEqual(a!, b!);
}
