/** A run: when it started, and what tells it from others that started then. */
export interface Run {
  id: string;
  time: Temporal.Instant;
}
