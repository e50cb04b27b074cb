/** Words of the page about the numbers, and of the one for addresses that lead nowhere. */
export const ABOUT_WORDS = {} as const;
