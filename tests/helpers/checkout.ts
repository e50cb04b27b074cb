import { git } from "./scratch.ts";

/** The inputs of a checkout. */
export interface CheckoutOptions {
  /** Folders to check out, besides the root and parent folders; all if absent. */
  sparse?: readonly string[];
  /** Which objects come along, as git spells it. */
  filter?: string;
  /** True for a full clone. */
  isWhole?: boolean;
}

/** Checks out the branch `main` of a bare repository by the very commands of actions/checkout, at depth 1 unless all commits are wanted. */
export async function checkOut(
  remote: string,
  folder: string,
  { sparse = [], filter, isWhole = false }: CheckoutOptions = {},
): Promise<string> {
  await git(remote, "config", "uploadpack.allowFilter", "true");
  await git(remote, "config", "uploadpack.allowAnySHA1InWant", "true");
  await Deno.mkdir(folder, { recursive: true });
  await git(folder, "init", "--quiet");
  await git(folder, "remote", "add", "origin", `file://${remote}`);
  const filters = filter === undefined ? [] : [`--filter=${filter}`];
  const options = ["--quiet", "--no-tags", "--prune", "--no-recurse-submodules"];
  if (!isWhole) options.push("--depth=1");
  const ref = "+refs/heads/main:refs/remotes/origin/main";
  await git(folder, "fetch", ...options, ...filters, "origin", ref);
  if (sparse.length > 0) await git(folder, "sparse-checkout", "set", ...sparse);
  await git(folder, "checkout", "--quiet", "--force", "-B", "main", "refs/remotes/origin/main");
  return folder;
}
