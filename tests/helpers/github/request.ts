/** A request as it came to GitHub. */
export interface GitHubRequest {
  method: string;
  /** Without the base address. */
  path: string;
  query: URLSearchParams;
  /** By their names in lower case. */
  headers: Readonly<Record<string, string>>;
  /** JSON, or the raw text if it is none; `undefined` without a body. */
  body: unknown;
  /** Login of the account, if its token is known. */
  login?: string;
}

/** An answer, as GitHub gives it. */
export interface GitHubAnswer {
  status: number;
  /** Sent as JSON unless it is a text. */
  body?: unknown;
  headers?: Readonly<Record<string, string>>;
}
