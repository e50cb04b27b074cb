import { createHash } from "node:crypto";
import type { GitHubAnswer, GitHubRequest } from "./request.ts";

/**
 * Adds an etag, which differs for each token, and answers 304 without a body to a conditional request
 * with that tag.
 */
export function tagged(request: GitHubRequest, answer: GitHubAnswer): GitHubAnswer {
  if (request.method !== "GET" || answer.status !== 200) return answer;
  const { authorization = "" } = request.headers;
  const text = JSON.stringify([authorization, answer.body]);
  const etag = `W/"${createHash("sha256").update(text).digest("hex")}"`;
  const { "if-none-match": known } = request.headers;
  return known === etag
    ? { status: 304, headers: { ...answer.headers, etag } }
    : { ...answer, headers: { ...answer.headers, etag } };
}
