import type { Part } from "./part.ts";
import type { GitHub } from "./github.ts";
import { toldRepository } from "./told_repository.ts";

/** What a repository says of itself beside its name; what it does not say is empty. */
export interface RepositoryAbout {
  description: string;
  /** Address of its homepage. */
  homepage: string;
  topics: readonly string[];
}

/** The permission that changing it takes; a job's own token never has it. */
export const ADMINISTRATION = "administration: write";

/** The part of the API that is about the repository itself. */
export function aboutOf({ ask, place }: Part): Pick<GitHub, "about" | "describe"> {
  return {
    about: () =>
      ask("read what the repository says of itself", async (client) => {
        const { data: { description, homepage, topics } } = await toldRepository(client, place);
        return {
          description: description ?? "",
          homepage: homepage ?? "",
          topics: topics ?? [],
        };
      }, { needs: "metadata: read" }),

    describe: ({ topics, ...texts }) =>
      ask("change what the repository says of itself", async ({ rest }) => {
        if (Object.keys(texts).length > 0) await rest.repos.update({ ...place, ...texts });
        if (topics !== undefined) {
          await rest.repos.replaceAllTopics({ ...place, names: [...topics] });
        }
      }, { needs: ADMINISTRATION }),
  };
}
