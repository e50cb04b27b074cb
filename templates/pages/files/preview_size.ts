/** Width and height of the picture that stands for the page: what programs that show previews ask for. */
export const PREVIEW_SIZE = [1200, 630] as const;
