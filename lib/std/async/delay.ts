// @ts-types="./delay.d.ts"
export { delay } from "npm:deno-std@1.4.0/async/delay.js";
