import { answerOf } from "./answer_of.ts";
import { issueOf, repositoryCommentOf } from "./issue_of.ts";
import type { Client } from "./octokit.ts";
import type { Part } from "./part.ts";
import type { GitHub, Tagged, Unchanged } from "./github.ts";

/** The most that GitHub puts on a page. */
export const PAGE = 100;

/** What reads need of the API they are a part of. */
interface Reading extends Part {
  repository: string;
  /** What the repository is called now. */
  fullName(client: Client): Promise<string>;
}

/** The part of the API that tells whether what it read before is still the same. */
export function readsOf(
  { ask, place, repository, fullName }: Reading,
): Pick<GitHub, "issuesLabelled" | "changedIssue" | "changedComments"> {
  const needs = { needs: "issues: read" };
  const newestFirst = { sort: "updated", direction: "desc", per_page: PAGE } as const;
  return {
    issuesLabelled: (label, tag) =>
      ask("read the issues", async ({ paginate, rest }) => {
        const wish = { ...place, ...newestFirst, state: "all", labels: label } as const;
        const pages = paginate.iterator(rest.issues.listForRepo, { ...wish, ...unless(tag) });
        const found = await pagesUnlessSame(pages);
        if (found === "unchanged") return found;
        const issues = found.value.filter((one) => one.pull_request === undefined);
        return { ...found, value: issues.map(issueOf) };
      }, needs),

    changedIssue: (number, tag) =>
      ask(`read issue #${number}`, async (client) => {
        try {
          const wish = { ...place, issue_number: number };
          const { data, headers } = await client.rest.issues.get({ ...wish, ...unless(tag) });
          const isHere = isIn(data, repository) || isIn(data, await fullName(client));
          return { value: isHere ? issueOf(data) : undefined, tag: headers.etag };
        } catch (error) {
          const answer = answerOf(error);
          if (answer?.status === 304) return "unchanged";
          if (answer?.status === 410 && !/disabled/i.test(answer.message)) {
            return { value: undefined };
          }
          if (answer?.status !== 404) throw error;
          await fullName(client);
          return { value: undefined };
        }
      }, needs),

    changedComments: (since, tag) =>
      ask("read the comments", async ({ paginate, rest }) => {
        const wish = { ...place, ...newestFirst, since: seconds(since), ...unless(tag) };
        const pages = paginate.iterator(rest.issues.listCommentsForRepo, wish);
        const found = await pagesUnlessSame(pages);
        return found === "unchanged"
          ? found
          : { ...found, value: found.value.map(repositoryCommentOf) };
      }, needs),
  };
}

function unless(tag: string | undefined): { headers?: { "if-none-match": string } } {
  return tag === undefined ? {} : { headers: { "if-none-match": tag } };
}

/** Everything on some pages, with the tag of the first; no page is read where that one is unchanged. */
async function pagesUnlessSame<T>(
  pages: AsyncIterable<{ data: T[]; headers: { etag?: string } }>,
): Promise<Tagged<T[]> | Unchanged> {
  const read: { data: T[]; headers: { etag?: string } }[] = [];
  try {
    for await (const page of pages) read.push(page);
  } catch (error) {
    if (answerOf(error)?.status === 304 && read.length === 0) return "unchanged";
    throw error;
  }
  return { value: read.flatMap(({ data }) => data), tag: read[0]?.headers.etag };
}

function isIn({ repository_url }: { repository_url: string }, repository: string): boolean {
  return repository_url.toLowerCase().endsWith(`/${repository.toLowerCase()}`);
}

/** GitHub keeps whole seconds. */
export function seconds(moment: Temporal.Instant): string {
  return moment.round({ smallestUnit: "second", roundingMode: "floor" }).toString();
}
