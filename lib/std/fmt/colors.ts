// @ts-types="./colors.d.ts"
export {
  bold,
  brightBlue,
  cyan,
  dim,
  green,
  red,
  setColorEnabled,
  stripAnsiCode,
  yellow,
} from "npm:deno-std@1.4.0/fmt/colors.js";
