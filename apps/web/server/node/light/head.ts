import type { OutgoingHttpHeader, OutgoingHttpHeaders } from "node:http";
import type { LightHeaders } from "./headers.ts";

type Everywhere = Record<string, string>;
/** Names and values in turn. */
type Lines = string[];

/** The lines of headers that many responses share. */
const sharedLines = new WeakMap<object, { everywhere: Everywhere; lines: Lines }>();

/** What only this response has: the id of its request, and the length of the body if there is one to announce. */
export type OwnFields = { requestId: string | undefined; length: string | undefined };

/**
 * The headers as `writeHead` takes them, with those of every response and its own, which replace those of a handler.
 */
export function headOf(
  headers: LightHeaders,
  everywhere: Everywhere,
  { requestId, length }: OwnFields,
): OutgoingHttpHeaders | OutgoingHttpHeader[] {
  const { shared } = headers;
  if (shared === undefined) {
    const fields = Object.assign(headers.fields, everywhere);
    if (requestId !== undefined) fields["x-request-id"] = requestId;
    if (length !== undefined) fields["content-length"] = length;
    return fields;
  }
  const lines = linesOf(shared, everywhere).slice();
  if (requestId !== undefined) lines.push("X-Request-Id", requestId);
  if (length !== undefined) lines.push("content-length", length);
  return lines;
}

function linesOf(shared: Readonly<Record<string, string>>, everywhere: Everywhere): Lines {
  const known = sharedLines.get(shared);
  if (known?.everywhere === everywhere) return known.lines;
  const lines = Object.entries({ ...shared, ...everywhere }).flat();
  sharedLines.set(shared, { everywhere, lines });
  return lines;
}
