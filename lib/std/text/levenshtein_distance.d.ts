export function levenshteinDistance(a: string, b: string): number;
