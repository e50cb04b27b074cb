/** Methods that the runtime can send: all but those that `fetch` forbids. */
export const SENDABLE_METHOD = /^(?!(?:CONNECT|TRACE|TRACK)$)[A-Z]+$/i;

/** Names that HTTP allows for a header (RFC 9110, section 5.6.2). */
export const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
