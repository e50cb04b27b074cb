import * as v from "valibot";

/** A moment in a stored file. */
export function time() {
  return v.pipe(
    v.string(),
    v.rawTransform(({ dataset, addIssue, NEVER }) => {
      try {
        return Temporal.Instant.from(dataset.value);
      } catch {
        addIssue({ message: "expected a time in ISO 8601" });
        return NEVER;
      }
    }),
  );
}
