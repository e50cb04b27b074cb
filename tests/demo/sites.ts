import { delay } from "@std/async/delay";
import { makeAuthority, makeCertificate } from "../helpers/certificates.ts";
import { httpServer, rawServer } from "../helpers/servers.ts";

/** The token of the demo's API; the configuration contains it as `$API_TOKEN`. */
export const API_TOKEN = "demo-token-4711";

/** The demo's sites, all on this machine. */
export interface DemoSites extends AsyncDisposable {
  /** The text of `.monitorrc.yml`. */
  config: string;
  /** The authority that `ca: authority.pem` names. */
  authority: string;
  /** True if the shop answers; the demo breaks and repairs it. */
  shopWorks: boolean;
  /** True if the forum answers; it flaps. */
  forumWorks: boolean;
  /** Messages of the channel, in words; the reader removes them. */
  inbox: string[];
}

/** Response time of the archive in milliseconds: more than its limit. */
const SLOW = 400;

/** Starts the sites, each on a free port of the loopback. */
export async function startSites(): Promise<DemoSites> {
  const authority = makeAuthority("Demo Authority");
  const certificate = makeCertificate({ issuer: authority });
  const answer = (works: boolean) =>
    new Response(works ? "ok\n" : "out of order\n", { status: works ? 200 : 503 });

  const website = httpServer(() => answer(true));
  const members = httpServer(() => answer(true), { certificate });
  const api = httpServer(({ headers }) =>
    new Response("{}", {
      status: headers.get("Authorization") === `Bearer ${API_TOKEN}` ? 200 : 401,
    })
  );
  const database = await rawServer((socket) => socket.end());
  const archive = httpServer(async () => {
    await delay(SLOW);
    return answer(true);
  });
  const shop = httpServer(() => answer(sites.shopWorks));
  const forum = await rawServer((socket) => {
    if (!sites.forumWorks) socket.resetAndDestroy();
    else socket.once("data", () => socket.end("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nok\n"));
  });
  const channel = httpServer(async (request) => {
    sites.inbox.push((await request.json()).text);
    return new Response("ok");
  });
  const servers = [channel, website, members, api, database, archive, shop, forum];

  const sites: DemoSites = {
    shopWorks: true,
    forumWorks: true,
    inbox: [],
    authority: authority.cert,
    config: `owner: demo
repo: status
canaries: []                # nothing outside this machine is contacted
retry: { delays: [0.2, 0.4] }
recheckDelay: 0.2
notifications:
  - type: webhook           # or slack, discord, telegram, teams, pagerduty, datadog, email
    url: ${channel.url}
    on: [down, up]
sites:
  - name: Website
    url: ${website.url}
  - name: Members
    url: https://localhost:${members.port}
    ca: authority.pem
  - name: API
    url: ${api.url}/v1/health
    headers:
      - "Authorization: Bearer $API_TOKEN"
  - name: Database
    check: tcp-ping
    url: 127.0.0.1
    port: ${database.port}
  - name: Archive
    url: ${archive.url}
    maxResponseTime: 250
  - name: Shop
    url: ${shop.url}
  - name: Forum
    url: ${forum.url}
`,
    async [Symbol.asyncDispose]() {
      await Promise.all(servers.map((server) => server[Symbol.asyncDispose]()));
    },
  };
  return sites;
}
