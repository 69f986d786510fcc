import type { IncomingMessage, Server, ServerResponse } from "node:http";

/**
 * How much of headers a server reads, for its `maxHeaderSize`. Most of it is for cookies: browsers send those of a whole
 * domain.
 */
export const MAX_HEADER_BYTES: number;

/** For the server's `maxHeadersCount`, so that {@link hasTooManyHeaders} sees whether there are more than it allows. */
export const READ_FIELDS: number;

/** The body and headers of the answer to a request with too many headers. */
export type TooLarge = () => { body: string; headers?: Record<string, string> };

/** Whether a request has more than 100 header fields, or more than 16 KiB of them besides its cookies. OP-96 */
export function hasTooManyHeaders(incoming: Pick<IncomingMessage, "rawHeaders">): boolean;

/** Answers such a request with 431, and closes the connection. RFC 6585 §5. */
export function refuseHeaders(outgoing: ServerResponse, tooLarge: TooLarge): void;

/**
 * Answers requests that Node cannot read, as Node does, but with `everywhere`, the headers of every response, and with
 * a body where there are more headers than {@link MAX_HEADER_BYTES}. RFC 6585 §5.
 */
export function answerUnreadable(server: Server, tooLarge: TooLarge, everywhere?: Record<string, string>): void;
