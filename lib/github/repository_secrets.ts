import { Asker, type GitHubOptions } from "./asker.ts";

/** What values are sealed with before they are handed over. */
export interface PublicKey {
  id: string;
  /** In base64. */
  key: string;
}

/** A sealed value, and the key it is sealed with. */
export interface SealedSecret {
  /** In base64. */
  sealed: string;
  keyId: string;
}

/** The secrets of a repository's workflows; nothing ever reads a value. */
export interface RepositorySecrets {
  /** `owner/name` of the repository. */
  readonly repository: string;
  publicKey(): Promise<PublicKey>;
  /** Makes a secret, or puts another value in its place; tells whether it is new. */
  save(name: string, secret: SealedSecret): Promise<boolean>;
}

/** Opens the secrets of a repository; nothing is loaded or asked before it is used. */
export function openRepositorySecrets(options: GitHubOptions): RepositorySecrets {
  const { repository } = options;
  const [owner = "", repo = ""] = repository.split("/");
  const asker = new Asker(options);
  return {
    repository,

    publicKey: () =>
      asker.ask(
        { what: "read the public key for secrets", repository, needs: "secrets: read" },
        async ({ rest }) => {
          const { data } = await rest.actions.getRepoPublicKey({ owner, repo });
          return { id: data.key_id, key: data.key };
        },
      ),

    save: (name, { sealed, keyId }) =>
      asker.ask(
        { what: `save the secret ${name}`, repository, needs: "secrets: write" },
        async ({ rest }) => {
          const { status } = await rest.actions.createOrUpdateRepoSecret({
            ...{ owner, repo, secret_name: name },
            ...{ encrypted_value: sealed, key_id: keyId },
          });
          return status === 201;
        },
      ),
  };
}
