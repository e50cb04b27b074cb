import type { Failure } from "../check.ts";
import type { AddressChoice } from "./timed_lookup.ts";

/** The way to a site. */
export interface Route extends AddressChoice {
  proxy?: Proxy;
}

/** An HTTP proxy. */
export interface Proxy {
  host: string;
  port: number;
  /** Value of the header that it knows us by. */
  authorization?: string;
  /** Whether its host stands in the configuration in plain sight. */
  shown: boolean;
}

/** What a proxy has against a connection, or how it could not be reached, in words. */
export class ProxyError extends Error {
  override readonly name = "ProxyError";
  constructor(message: string, readonly kind: Failure["kind"] = "network") {
    super(message);
  }
}
