import type { Scheme, Servers } from "./servers.ts";

const CURL = "/usr/bin/curl";

/** Whether there is a curl to compare with. */
export async function hasCurl(): Promise<boolean> {
  try {
    return (await Deno.stat(CURL)).isFile;
  } catch {
    return false;
  }
}

/** What curl measures of one server, one process after the other: `time_total` less the delay, in ms. */
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
