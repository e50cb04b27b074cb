/** A secret that was saved, or would be. */
export interface SavedSecret {
  name: string;
  /** `owner/name`. */
  repository: string;
  /** Whether there was none of that name; absent where nothing was sent. */
  isNew?: boolean;
}

/** What is said of a secret that was saved. */
export function secretLine({ name, repository, isNew }: SavedSecret): string {
  if (isNew === undefined) {
    return `Nothing was sent; the value is sealed, and would become the secret ${name} of ${repository}.`;
  }
  return isNew
    ? `Saved ${name} as a new secret of ${repository}.`
    : `Replaced the secret ${name} of ${repository}.`;
}

/** The same as data. */
export function secretJson({ name, repository, isNew }: SavedSecret): unknown {
  return { secret: name, repository, sent: isNew !== undefined, new: isNew ?? null };
}
