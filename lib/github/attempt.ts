/** Something that GitHub is asked for, as errors tell it. */
export interface Attempt {
  /** As the end of "Cannot …": `open an issue`. */
  what: string;
  /** `owner/name` of the repository it is asked for in. */
  repository: string;
  /** The permission it takes, as workflows spell it: `issues: write`. */
  needs: string;
  /** Number of the issue it is about. */
  issue?: number;
}
