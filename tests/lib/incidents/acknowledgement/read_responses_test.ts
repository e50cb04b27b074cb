import { assertEquals } from "@std/assert";
import {
  readResponses,
  type ResponseState,
  type TrackedIncident,
} from "../../../../lib/incidents/acknowledgement/read_responses.ts";
import type { RepositoryComment } from "../../../../lib/github/github.ts";
import { githubServer } from "../../../helpers/github_server.ts";
import { openedGitHub } from "../../../helpers/opened_github.ts";

Deno.test("responses take one request while nothing is new, none without an incident, and one for each person", async () => {
  await using server = await githubServer();
  const [bot, ann, acme, stranger] = (["monitor-bot", "ann", "acme", "stranger"] as const)
    .map((login) => server.person(login));
  const github = openedGitHub(server);
  const number = await bot!.open({ title: "🛑 Shop is down" });
  const other = await bot!.open({ title: "Something else" });
  const incident: TrackedIncident = {
    ...{ id: "2026-11-21-shop", slug: "shop", issue: number, acknowledgements: [] },
    start: Temporal.Now.instant().subtract({ minutes: 1 }),
    assigned: ["monitor-bot"],
    isOver: false,
    isChanging: false,
  };
  let state: ResponseState | undefined;
  const read = async (more: Partial<TrackedIncident> = {}) => {
    const { length } = server.requests;
    const found = await readResponses(github, [{ ...incident, ...more }], state);
    state = found!.state;
    const { responses } = found!.incidents.get(incident.id)!;
    return {
      commands: found!.commands.map(({ by, command, isAllowed }) =>
        `${by} ${command.name}${isAllowed ? "" : " refused"}`
      ),
      responses: responses.map(({ by, way }) => `${by} ${way}`),
      asked: server.asked.slice(length).map((one) => one.replace(/.*\/acme\/status\//, "")),
    };
  };
  assertEquals(await readResponses(github, [], state), undefined);
  assertEquals(server.requests.length, 0);
  const none = { commands: [], responses: [], asked: ["issues"] };
  assertEquals(await read(), none);

  await ann!.comment(number, "/ack");
  await ann!.comment(number, "/mute 2h");
  await ann!.comment(number, "I look into it");
  await ann!.comment(other, "/ack");
  await stranger!.comment(number, "/ack");
  const permission = (login: string) => `collaborators/${login}/permission`;
  assertEquals(await read(), {
    commands: ["ann ack", "ann mute", "stranger ack refused"],
    responses: [],
    asked: ["issues", "issues/comments", permission("ann"), permission("stranger")],
  });
  assertEquals(await read(), none);

  await stranger!.look(number);
  await acme!.look(number);
  const { responses, asked } = await read();
  assertEquals([responses, asked.includes(permission("stranger"))], [["acme reaction"], true]);
  assertEquals(await read(), none);

  await acme!.assign(number, "monitor-bot", "ann");
  assertEquals((await read()).responses, ["ann assignee"]);
  await acme!.assign(number);
  await ann!.close(number);
  assertEquals((await read()).responses, ["ann closing"]);
  assertEquals((await read({ isChanging: true })).responses, []);
  assertEquals(server.violations, []);
});

Deno.test("an edited comment is no new command, and a comment that is read twice is the same", async () => {
  await using server = await githubServer();
  const github = openedGitHub(server);
  const ann = server.person("ann");
  const number = await ann.open({ title: "🛑 Shop is down" });
  const incident: TrackedIncident = {
    ...{ id: "2026-11-21-shop", slug: "shop", issue: number, acknowledgements: [] },
    start: Temporal.Now.instant(),
    assigned: [],
    isOver: false,
    isChanging: false,
  };
  const first = await ann.comment(number, "/ack");
  const { state } = (await readResponses(github, [incident], undefined))!;
  await ann.comment(number, "One more");
  const again = (await readResponses(github, [incident], state))!.commands;
  assertEquals(again.map(({ comment }) => comment), [first]);

  const repositoryComments = async (since: Temporal.Instant) =>
    (await github.repositoryComments(since)).map((comment) => (
      comment.id === first ? { ...comment, updated: comment.updated.add({ seconds: 1 }) } : comment
    ));
  await ann.editComment(first, "/ack 8h");
  const edited = await readResponses({ ...github, repositoryComments }, [incident], state);
  assertEquals(edited!.commands, []);
});

Deno.test("however many strangers react and comment, the people of the repository are heard", async () => {
  await using server = await githubServer();
  const [bot, ann] = [server.person("monitor-bot"), server.person("ann")];
  const github = openedGitHub(server);
  const number = await bot.open({ title: "🛑 Shop is down" });
  const id = await ann.comment(number, "/ack");
  await ann.look(number);
  const since = Temporal.Now.instant().subtract({ hours: 1 });
  const [own] = await github.repositoryComments(since) as [RepositoryComment];
  const { created } = own;
  const [eye] = await github.eyes(number);
  const strangers = Array.from({ length: 500 }, (_, index) => `stranger-${index}`);
  const comments = strangers.map((author, index) => (
    { ...own, id: id + 1 + index, author, isTrusted: false, association: "NONE" }
  ));
  const eyes = strangers.map((author) => ({ author, created: created.subtract({ seconds: 9 }) }));
  const asked: string[] = [];
  const found = await readResponses(
    {
      ...github,
      repositoryComments: () => Promise.resolve([...comments, own]),
      eyes: () => Promise.resolve([...eyes, eye!]),
      mayWrite: (login) => {
        asked.push(login);
        return Promise.resolve(login === "ann");
      },
    },
    [{
      ...{ id: "2026-11-21-shop", slug: "shop", issue: number, acknowledgements: [] },
      ...{
        start: created.subtract({ minutes: 1 }),
        assigned: [],
        isOver: false,
        isChanging: false,
      },
    }],
    undefined,
  );
  const allowed = found!.commands.filter(({ isAllowed }) => isAllowed);
  assertEquals(allowed.map(({ comment }) => comment), [id]);
  const { responses } = found!.incidents.get("2026-11-21-shop")!;
  assertEquals(responses.map(({ by, way }) => `${by} ${way}`), ["ann reaction"]);
  assertEquals(asked.length, 40);
});
