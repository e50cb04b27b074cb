// @ts-types="./mod.d.ts"
export { parse, stringify, YamlSyntaxError } from "npm:deno-std@1.4.0/yaml/mod.js";
