import type { Server } from "node:http";

/**
 * How much of headers a server reads, for its `maxHeaderSize`. Four times Node's default: browsers send the cookies of
 * a whole domain.
 */
export const MAX_HEADER_BYTES: number;

/**
 * Answers requests that Node cannot read, as Node does, but with a body where there are more headers than
 * {@link MAX_HEADER_BYTES}: `tooLarge` makes it. RFC 6585 §5.
 */
export function answerUnreadable(
  server: Server,
  tooLarge: () => { body: string; headers?: Record<string, string> },
): void;
