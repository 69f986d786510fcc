import type { OutgoingHttpHeader, OutgoingHttpHeaders } from "node:http";
import type { LightHeaders } from "./headers.ts";

type Everywhere = Record<string, string>;
/** Names and values in turn. */
type Lines = string[];

/** The lines of headers that many responses share. */
const sharedLines = new WeakMap<object, { everywhere: Everywhere; lines: Lines }>();

/**
 * The headers as `writeHead` takes them, with those of every response, which replace those of a handler, and the length
 * of the body if there is one to announce.
 */
export function headOf(
  headers: LightHeaders,
  everywhere: Everywhere,
  length: string | undefined,
): OutgoingHttpHeaders | OutgoingHttpHeader[] {
  const { shared } = headers;
  if (shared === undefined)
    return Object.assign(headers.fields, everywhere, length === undefined ? undefined : { "content-length": length });
  const lines = linesOf(shared, everywhere).slice();
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
