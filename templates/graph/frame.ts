/** Pixels of a graph. */
export const WIDTH = 600;
export const HEIGHT = 400;

/** Pixels between what is written and the edge. */
export const MARGIN = 20;

/** Where the line is drawn: whole pixels, so that what is straight stays sharp. */
export const PLOT = { left: 60, right: 580, top: 84, bottom: 316 } as const;
