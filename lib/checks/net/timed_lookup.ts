import { lookup as systemLookup } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import type { Stopwatch } from "./stopwatch.ts";

/** A family of addresses, as the runtime counts them. */
export type Family = 4 | 6;

/** Looks names up as the system does, in one family alone where it is given, and stops the time. */
export function timedLookup(watch: Stopwatch, family?: Family): LookupFunction {
  return (host, options, callback) => {
    const wanted = family === undefined ? options : { ...options, family };
    systemLookup(host, wanted, (error, ...results) => {
      watch.pass("lookup", "connecting");
      if (error === null || family === undefined) return callback(error, ...results);
      systemLookup(host, (otherError) => {
        callback(otherError === null ? noAddress(family) : error, ...results);
      });
    });
  };
}

/** Why a host can't be reached over a family, where it is an address of the other. */
export function wrongFamily(host: string, family: Family | undefined): Error | undefined {
  const own = isIP(host);
  return family === undefined || own === 0 || own === family ? undefined : noAddress(family);
}

function noAddress(family: Family): NodeJS.ErrnoException {
  return Object.assign(new Error(`No IPv${family} address`), { code: `NO_IPV${family}` });
}
