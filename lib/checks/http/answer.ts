import type { ClientRequest, IncomingMessage } from "node:http";

/** Bytes of a body that are read; the rest says nothing more about a site. */
export const BODY_LIMIT = 1024 * 1024;

/** What is told while an answer comes. */
export interface AnswerEvents {
  /** The head of the answer is there. */
  onHead(): void;
  /** A part of the body is there. */
  onPart?(part: Uint8Array): void;
  /** The answer is there, as whole as is wanted; `bytes` of its body were read. */
  onWhole(answer: IncomingMessage, bytes: number): void;
  onFailure(cause: Error): void;
}

/**
 * Waits for the answer to a request, read to the end or to {@linkcode BODY_LIMIT}. It is whole once its
 * last byte is there, or its head where no body may follow: what a server sends beyond that is of no
 * interest, as it is of none to browsers. A body cut off short is a failure.
 */
export function awaitAnswer(
  request: ClientRequest,
  { onHead, onPart, onWhole, onFailure }: AnswerEvents,
): void {
  let answer: IncomingMessage | undefined;
  let bytes = 0;
  const settle = (cause: Error) =>
    answer?.complete === true ? onWhole(answer, bytes) : onFailure(cause);
  const hangUp = (answer: IncomingMessage) => {
    onWhole(answer, bytes);
    request.destroy();
  };

  request.on("error", settle);
  request.on("upgrade", (response: IncomingMessage) => {
    onHead();
    hangUp(response);
  });
  request.on("response", (response) => {
    answer = response;
    onHead();
    response.on("error", settle);
    if (hasNoBody(request.method, response.statusCode)) return hangUp(response);
    response.on("data", (chunk: Uint8Array) => {
      bytes += chunk.length;
      onPart?.(chunk);
      if (bytes >= BODY_LIMIT) hangUp(response);
    });
    for (const end of ["end", "aborted", "close"]) response.on(end, () => settle(closed()));
  });
}

function hasNoBody(method: string, status: number | undefined): boolean {
  return method === "HEAD" || status === 204 || status === 304;
}

function closed(): Error {
  return Object.assign(new Error("closed before its end"), { code: "ECONNABORTED" });
}
