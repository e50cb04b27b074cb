import { lookup as systemLookup, type LookupAddress } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import { PrivateAddressError } from "./private_address.ts";
import type { Stopwatch } from "./stopwatch.ts";

/** A family of addresses, as the runtime counts them. */
export type Family = 4 | 6;

/** Which of the addresses of a name is taken. */
export interface AddressChoice {
  /** The one family that counts; absent where any does. */
  family?: Family;
  /** Which attempt in a row this is, from 1: each next one takes the next address. */
  attempt?: number;
  /** True for addresses that must not be connected to; absent if any may. */
  refuses?(address: string): boolean;
}

/** Looks names up as the system does, chooses among the addresses, and stops the time. */
export function timedLookup(
  watch: Stopwatch,
  { family, attempt = 1, refuses = () => false }: AddressChoice = {},
): LookupFunction {
  return (host, options, callback) => {
    const wanted = family === undefined ? options : { ...options, family };
    systemLookup(host, { ...wanted, all: true }, (error, addresses) => {
      watch.pass("lookup", "connecting");
      if (error === null) {
        const allowed = addresses.filter(({ address }) => !refuses(address));
        if (allowed.length === 0) return callback(new PrivateAddressError(), []);
        const turned = turn(allowed, attempt - 1);
        const [first] = turned;
        return options.all ? callback(null, turned) : callback(null, first!.address, first!.family);
      }
      if (family === undefined) return callback(error, []);
      systemLookup(host, (otherError) => {
        callback(otherError === null ? noAddress(family) : error, []);
      });
    });
  };
}

/**
 * The addresses from another one on, those before it last.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const [a, b] = [{ address: "203.0.113.1", family: 4 }, { address: "203.0.113.2", family: 4 }];
 * assertEquals(turn([a, b], 3), [b, a]);
 * ```
 */
export function turn(addresses: readonly LookupAddress[], steps: number): LookupAddress[] {
  const from = steps % addresses.length;
  return [...addresses.slice(from), ...addresses.slice(0, from)];
}

/** Why a host that is an IP address must not be connected to, or can't be over a family. */
export function unfitAddress(
  host: string,
  { family, refuses }: AddressChoice,
): Error | undefined {
  const own = isIP(host);
  if (own !== 0 && refuses?.(host)) return new PrivateAddressError();
  return family === undefined || own === 0 || own === family ? undefined : noAddress(family);
}

function noAddress(family: Family): NodeJS.ErrnoException {
  return Object.assign(new Error(`No IPv${family} address`), { code: `NO_IPV${family}` });
}
