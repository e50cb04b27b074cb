/** Methods that the runtime sends; it sends none of those left out. */
export const SENDABLE_METHOD = /^(?!(?:CONNECT|TRACE|TRACK)$)[A-Z]+$/i;

/** Names that HTTP allows for a header (RFC 9110, section 5.6.2). */
export const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
