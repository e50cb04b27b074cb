import { checkOut } from "../checkout.ts";
import type { StepResult } from "./script.ts";

/** Checks out the branch `main` of a local repository, as actions/checkout does. */
export async function checkout(
  inputs: Readonly<Record<string, string>>,
  { remote, workspace }: { remote: string; workspace: string },
): Promise<StepResult> {
  const { ref, "fetch-depth": depth, filter, "sparse-checkout": folders = "" } = inputs;
  if (ref !== "main" || !/^[01]$/.test(depth ?? "")) {
    throw new Error(`No checkout here of ${ref} at ${depth}`);
  }
  const sparse = folders.split("\n").filter((folder) => folder !== "");
  await checkOut(remote, workspace, { sparse, filter, isWhole: depth === "0" });
  return { code: 0, outputs: {}, summary: "", stdout: "" };
}
