import { assertEquals } from "@std/assert";
import { join } from "node:path";
import { type ProgramResult, runTask } from "./program.ts";
import { cloneRemote, configText, EVERY_RUN, makeRepository } from "./repositories.ts";
import { makeRemote, type Scratch } from "./scratch.ts";
import { httpServer } from "./servers.ts";

/** Runs `update`; fails if it fails. */
export async function update(folder: string): Promise<string> {
  const { code, stdout, stderr } = await runTask("update", { folder });
  assertEquals(code, 0, stdout + stderr);
  return stdout + stderr;
}

export async function remoteAndClone(scratch: Scratch, url: string): Promise<[string, string]> {
  const remote = await makeRemote(scratch.path, {
    ".monitorrc.yml": configText({ A: url }, EVERY_RUN),
  });
  return [remote, await cloneRemote(remote, join(scratch.path, "clone"))];
}

/** A repository with a remote and one without, each with files of their user. */
export async function repositories(scratch: Scratch, url: string): Promise<string[]> {
  const files = {
    ".monitorrc.yml": configText({ A: url }, EVERY_RUN),
    "mine": "1\n",
    "staged": "1\n",
  };
  const remote = await makeRemote(scratch.path, files);
  return [
    await cloneRemote(remote, join(scratch.path, "clone")),
    await makeRepository(join(scratch.path, "alone"), files),
  ];
}

/** A server that counts its requests. */
export function countingSite() {
  const asked: string[] = [];
  const server = httpServer(({ url }) => {
    asked.push(url);
    return new Response("ok");
  });
  return { server, asked };
}

export function tryUpdate(folder: string, env?: Record<string, string>): Promise<ProgramResult> {
  return runTask("update", { folder, env });
}
