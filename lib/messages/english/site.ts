/** Words of the page of a site. */
export const SITE_WORDS = {} as const;
