/**
 * Cuts GitHub's published OpenAPI description down to the requests that this program makes:
 *
 * `deno run --allow-read --allow-write tests/helpers/cut_github_description.ts FILE`
 *
 * FILE is `generated/api.github.com.json` of the npm package `@octokit/openapi`.
 */
import { join } from "node:path";

/** Every request that the program makes, in the words of the description. */
const OPERATIONS: readonly [path: string, method: string][] = [
  ["/user", "get"],
  ["/repos/{owner}/{repo}", "get"],
  ["/repos/{owner}/{repo}", "patch"],
  ["/repos/{owner}/{repo}/topics", "put"],
  ["/repos/{owner}/{repo}/releases", "get"],
  ["/repos/{owner}/{repo}/dispatches", "post"],
  ["/repos/{owner}/{repo}/collaborators/{username}/permission", "get"],
  ["/repos/{owner}/{repo}/issues", "get"],
  ["/repos/{owner}/{repo}/issues", "post"],
  ["/repos/{owner}/{repo}/issues/{issue_number}", "get"],
  ["/repos/{owner}/{repo}/issues/{issue_number}", "patch"],
  ["/repos/{owner}/{repo}/issues/{issue_number}/comments", "get"],
  ["/repos/{owner}/{repo}/issues/{issue_number}/comments", "post"],
  ["/repos/{owner}/{repo}/issues/{issue_number}/lock", "put"],
  ["/repos/{owner}/{repo}/issues/comments", "get"],
  ["/repos/{owner}/{repo}/issues/comments/{comment_id}/reactions", "post"],
  ["/repos/{owner}/{repo}/issues/{issue_number}/reactions", "get"],
  ["/repos/{owner}/{repo}/labels", "post"],
  ["/repos/{owner}/{repo}/labels/{name}", "get"],
  ["/repos/{owner}/{repo}/actions/permissions", "get"],
  ["/repos/{owner}/{repo}/actions/permissions/workflow", "get"],
  ["/repos/{owner}/{repo}/actions/workflows", "get"],
  ["/repos/{owner}/{repo}/actions/workflows/{workflow_id}/runs", "get"],
  ["/repos/{owner}/{repo}/actions/secrets", "get"],
  ["/repos/{owner}/{repo}/actions/secrets/public-key", "get"],
  ["/repos/{owner}/{repo}/actions/secrets/{secret_name}", "put"],
  ["/repos/{owner}/{repo}/actions/organization-secrets", "get"],
  ["/repos/{owner}/{repo}/actions/variables", "get"],
  ["/repos/{owner}/{repo}/actions/variables", "post"],
  ["/repos/{owner}/{repo}/actions/variables/{name}", "patch"],
  ["/repos/{owner}/{repo}/pages", "get"],
  ["/repos/{owner}/{repo}/rules/branches/{branch}", "get"],
  ["/repos/{owner}/{repo}/branches/{branch}", "get"],
];

/** Keys that matter to people and not to a validator. */
const PROSE = new Set(["description", "summary", "examples", "example", "externalDocs", "tags"]);

const TARGET = join(import.meta.dirname!, "../testdata/github/requests.openapi.json");

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
type Node = { [key: string]: Json };

/** A part of the description with everything it refers to in place, and without prose. */
function resolved(value: Json, whole: Node, isNames = false): Json {
  if (Array.isArray(value)) return value.map((one) => resolved(one, whole));
  if (typeof value !== "object" || value === null) return value;
  if (typeof value["$ref"] === "string") return resolved(target(value["$ref"], whole), whole);
  const kept = Object.entries(value).filter(([key]) =>
    isNames || !(PROSE.has(key) || key.startsWith("x-"))
  );
  // Described as a date-time, although the description (omitted here) says that it is a range.
  if (value["in"] === "query" && value["name"] === "created") {
    return { name: "created", in: "query", schema: { type: "string", pattern: "^>=" } };
  }
  return nullable(closed(Object.fromEntries(
    kept.map(([key, one]) => [key, resolved(one, whole, key === "properties" && !isNames)]),
  )));
}

function target(reference: string, whole: Node): Json {
  return reference.slice(2).split("/").reduce<Json>((node, key) => (node as Node)[key]!, whole);
}

/** Properties that the description does not declare are rejected. */
function closed(schema: Node): Node {
  return schema["type"] !== "object" || schema["properties"] === undefined
    ? schema
    : { additionalProperties: false, ...schema };
}

/** Validators of OpenAPI 3.0 accept `nullable` only with a `type`. */
function nullable(schema: Node): Node {
  if (schema["nullable"] === undefined || schema["type"] !== undefined) return schema;
  const { nullable: _, ...rest } = schema;
  return { anyOf: [rest, { type: "string", nullable: true, enum: [null] }] };
}

if (import.meta.main) {
  const whole = JSON.parse(await Deno.readTextFile(Deno.args[0]!));
  const paths: Record<string, Record<string, unknown>> = {};
  for (const [path, method] of OPERATIONS) {
    const { operationId, parameters, requestBody } = whole.paths[path][method];
    const parts = resolved({ operationId, parameters, ...(requestBody && { requestBody }) }, whole);
    const responses = { default: { description: "" } };
    paths[path] = { ...paths[path], [method]: { ...(parts as Node), responses } };
  }
  const { openapi, info: { title, version, license } } = whole;
  const cut = { openapi, info: { title, version, license }, paths };
  await Deno.mkdir(join(TARGET, ".."), { recursive: true });
  await Deno.writeTextFile(TARGET, `${JSON.stringify(cut, undefined, 1)}\n`);
}
