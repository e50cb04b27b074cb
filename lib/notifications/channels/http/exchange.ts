import { connectionWords } from "../../../io/connection_words.ts";
import type { HttpAnswer } from "./request.ts";

/** Longest part of an answer that anyone looks at, in bytes. */
const LONGEST_ANSWER = 64 * 1024;

/** No answer came: why, in words that hold no address. */
export class NoAnswerError extends Error {
  override readonly name = "NoAnswerError";
}

/**
 * Sends one request and reads its answer, both within a limit of milliseconds. A redirect is an answer
 * like others: a credential in an address is not carried on to another.
 *
 * @throws {NoAnswerError} Where none came, or not in time.
 */
export async function exchange(
  url: URL,
  { method, headers, body }: { method: string; headers: Headers; body?: string },
  limit: number,
): Promise<HttpAnswer> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), limit);
  try {
    const answer = await fetch(url, {
      method,
      headers,
      // The runtime sends a text a second time by itself where the connection breaks.
      body: body === undefined || body === "" ? body : new Blob([body]),
      redirect: "manual",
      signal: late.signal,
    });
    const { status } = answer;
    return { status, headers: answer.headers, body: await beginning(answer) };
  } catch (error) {
    throw new NoAnswerError(
      late.signal.aborted
        ? `no answer within ${Number((limit / 1000).toFixed(1))} s`
        : connectionWords(error),
    );
  } finally {
    clearTimeout(timer);
  }
}

async function beginning({ body }: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  let length = 0;
  // Leaving the loop early closes the connection.
  for await (const chunk of body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    length += chunk.length;
    if (length >= LONGEST_ANSWER) break;
  }
  return text + decoder.decode();
}
