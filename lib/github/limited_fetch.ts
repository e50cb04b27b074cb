/** How often a request that changes something is sent on to where it is redirected. */
const MOST_HOPS = 3;

/** An answer that did not come in time. */
export class NoAnswerError extends Error {
  override readonly name = "NoAnswerError";
  constructor(readonly milliseconds: number) {
    super(`no answer within ${Number((milliseconds / 1000).toFixed(1))} s`);
  }
}

/**
 * A `fetch` that gives the whole answer or fails: what comes too late, or breaks off, is no answer.
 * Requests that change something are redirected only where method and body stay what they are.
 */
export function limitedFetch(
  { limit, signal }: {
    /** Milliseconds until the answer must be there. */
    limit: number;
    /** Ends every request. */
    signal: AbortSignal;
  },
): typeof fetch {
  return async (input, init = {}) => {
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), limit);
    const limits = AbortSignal.any([late.signal, signal]);
    try {
      let url = String(input);
      for (let hops = 0;; hops++) {
        const answer = await fetch(url, {
          ...init,
          body: sentOnce(init.body),
          redirect: redirectOf(init),
          signal: limits,
        });
        const next = hops < MOST_HOPS ? sentOnTo(answer, url) : undefined;
        const body = await answer.arrayBuffer();
        const { status, statusText, headers } = answer;
        if (next === undefined) {
          const bytes = body.byteLength === 0 ? null : body;
          const whole = new Response(bytes, { status, statusText, headers });
          // One that is made has none, and whoever reads page after page wants to know it.
          return Object.defineProperty(whole, "url", { value: answer.url });
        }
        url = next;
      }
    } catch (error) {
      throw late.signal.aborted && !signal.aborted ? new NoAnswerError(limit) : error;
    } finally {
      clearTimeout(timer);
    }
  };
}

/** The runtime sends a text again by itself where the connection breaks, whatever is done twice by that. */
function sentOnce(body: RequestInit["body"]): RequestInit["body"] {
  return typeof body === "string" && body !== "" ? new Blob([body]) : body;
}

/** `fetch` makes a GET of a POST that is redirected with 301 or 302. */
function redirectOf({ method = "GET" }: RequestInit): RequestRedirect {
  return /^(?:GET|HEAD)$/i.test(method) ? "follow" : "manual";
}

/** Credentials stay with the origin they are meant for. */
function sentOnTo({ status, headers }: Response, from: string): string | undefined {
  const location = headers.get("Location");
  if ((status !== 307 && status !== 308) || location === null) return undefined;
  const target = URL.parse(location, from);
  return target?.origin === new URL(from).origin ? target.href : undefined;
}
