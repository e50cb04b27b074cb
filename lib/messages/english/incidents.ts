/** Words of incidents and maintenance. */
export const INCIDENTS_WORDS = {} as const;
