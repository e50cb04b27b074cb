import type { Issue } from "./platform.ts";

/** Whoever deleted their account. */
const GHOST = "ghost";

/** What the program looks at in an issue of the API. */
export interface ApiIssue {
  number: number;
  title: string;
  body?: string | null;
  state: string;
  user: { login: string } | null;
}

/** An issue of the API, as the program knows it. */
export function issueOf({ number, title, body, state, user }: ApiIssue): Issue {
  return {
    number,
    title,
    body: body ?? "",
    isOpen: state === "open",
    author: loginOf(user),
  };
}

/** Who wrote something. */
export function loginOf(user: { login: string } | null): string {
  return user?.login ?? GHOST;
}
