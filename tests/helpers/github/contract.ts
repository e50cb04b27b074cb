import { join } from "node:path";
import { OpenAPIBackend } from "openapi-backend";
import { PROJECT } from "../program.ts";
import type { GitHubRequest } from "./request.ts";

/** Whole seconds in UTC, as GitHub writes them. */
const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;

let loaded: Promise<OpenAPIBackend> | undefined;

/** Violations of GitHub's published description by a request. */
export async function violations(request: GitHubRequest): Promise<string[]> {
  // It describes the API without GraphQL.
  if (request.path === "/graphql") return [];
  const api = await (loaded ??= load());
  const { method, path, query, headers, body } = request;
  const asked = { method, path, query: query.toString(), headers, body };
  const operation = api.router.matchOperation(asked);
  if (operation === undefined) return [`${method} ${path} is not described`];
  const { errors } = api.validateRequest(asked, operation);
  return (errors ?? []).map(({ instancePath, message }) =>
    `${method} ${path} ${instancePath}: ${message}`
  );
}

async function load(): Promise<OpenAPIBackend> {
  const path = join(PROJECT, "tests/testdata/github/requests.openapi.json");
  const definition = JSON.parse(await Deno.readTextFile(path));
  const api = new OpenAPIBackend({
    definition,
    quick: true,
    strict: false,
    ajvOpts: { strict: false },
    customizeAjv: (ajv) => ajv.addFormat("date-time", DATE_TIME),
  });
  return await api.init();
}
