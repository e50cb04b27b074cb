/** The events of a repository that start its workflows, as each workflow listens to one of them. */
export const DISPATCH_EVENTS = [
  "uptime",
  "response_time",
  "graphs",
  "static_site",
  "summary",
  "setup",
] as const;

/** One of {@linkcode DISPATCH_EVENTS}. */
export type DispatchEvent = typeof DISPATCH_EVENTS[number];
