/** A command line that can't reach any network but loopback. */
interface OfflineCommand {
  command: string;
  args: string[];
  env: Record<string, string>;
}

const LOOPBACK = 'PATH="$PATH:/usr/sbin:/sbin" ip link set lo up && exec "$0" "$@"';

/** An unreachable proxy, if network namespaces are not permitted. */
const DEAD_PROXY = "http://127.0.0.1:9";

/** Puts a command line into a network namespace with loopback alone, or else behind a dead proxy. */
export async function offline(
  [program, ...words]: readonly [string, ...string[]],
): Promise<OfflineCommand> {
  const unshare = (script: string, ...rest: string[]) => ["-rn", "/bin/sh", "-c", script, ...rest];
  try {
    const { success } = await new Deno.Command("/usr/bin/unshare", {
      args: unshare(LOOPBACK, "/bin/true"),
      stderr: "null",
    }).output();
    if (success) {
      return { command: "/usr/bin/unshare", args: unshare(LOOPBACK, program, ...words), env: {} };
    }
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
  const env = {
    HTTP_PROXY: DEAD_PROXY,
    HTTPS_PROXY: DEAD_PROXY,
    NO_PROXY: "127.0.0.1,localhost,[::1]",
  };
  return { command: program, args: words, env };
}
