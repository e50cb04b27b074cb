import type { Scheme, Servers } from "./servers.ts";

const CURL = "/usr/bin/curl";

/** True if curl is available for comparison. */
export async function hasCurl(): Promise<boolean> {
  try {
    return (await Deno.stat(CURL)).isFile;
  } catch {
    return false;
  }
}

/** curl's overhead over the delay of a server (`time_total` minus the delay) in ms, one process per request. */
export async function measureCurl(
  { scheme, delay, times }: { scheme: Scheme; delay: number; times: number },
  servers: Servers,
): Promise<number[]> {
  const errors: number[] = [];
  for (let time = 1; time <= times; time++) {
    const { code, stdout } = await new Deno.Command(CURL, {
      args: [
        ..."--disable --silent --output /dev/null --noproxy * --write-out %{time_total}".split(" "),
        ...["--cacert", servers.authority, servers.url(scheme, delay)],
      ],
    }).output();
    if (code !== 0) throw new Error(`Cannot measure: curl ended with ${code}`);
    errors.push(Number(new TextDecoder().decode(stdout)) * 1000 - delay);
  }
  return errors;
}
