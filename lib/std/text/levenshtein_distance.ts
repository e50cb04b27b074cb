// @ts-types="./levenshtein_distance.d.ts"
export { levenshteinDistance } from "npm:deno-std@1.4.0/text/levenshtein_distance.js";
