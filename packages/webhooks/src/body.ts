import { BodyError, type BodyProblem, readBytes } from "@gatehouse/runtime";

/** The limit of a delivery, in bytes. Next and proxies silently cut much larger bodies. */
const MAX_BODY_BYTES = 1024 * 1024;
/** How much of the body of a rejected delivery is stored, in bytes. */
export const KEPT_BODY_BYTES = 4096;

/** What was read of a body. Unless it is whole, `bytes` is what had arrived, at most {@link KEPT_BODY_BYTES}. */
export type Body = { kind: "whole" | BodyProblem; bytes: Uint8Array };

/** Reads the raw bytes of a delivery, bounded in size and time. Rejects only for errors that are not about the body. */
export async function readBody(request: Request): Promise<Body> {
  try {
    return { kind: "whole", bytes: await readBytes(request, MAX_BODY_BYTES) };
  } catch (thrown) {
    if (!(thrown instanceof BodyError)) throw thrown;
    return { kind: thrown.problem, bytes: thrown.received.subarray(0, KEPT_BODY_BYTES) };
  }
}

/** A parsed body. `payload` is any JSON value, never undefined. */
export type Parsed = { payload: unknown };

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** Parses JSON in UTF-8, ignoring a byte order mark. Returns undefined when it is not JSON. */
export function parseJson(bytes: Uint8Array): Parsed | undefined {
  try {
    return { payload: JSON.parse(utf8.decode(bytes)) };
  } catch {
    return undefined;
  }
}

/** How deep JSON may be nested, and how many members and elements it may have. */
export type JsonBounds = { depth: number; values: number };

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const isOpening = (byte: number) => byte === 0x5b || byte === 0x7b;
const isClosing = (byte: number) => byte === 0x5d || byte === 0x7d;

/**
 * Parses JSON whose signature is inside it, so that anybody can send any. Returns undefined as {@link parseJson} does,
 * and beyond the bounds, which are counted without parsing: a mebibyte of brackets or of short members takes a hundred
 * times as long to parse as to read.
 */
export function parseBounded(bytes: Uint8Array, bounds: JsonBounds): Parsed | undefined {
  return isWithin(bytes, bounds) ? parseJson(bytes) : undefined;
}

/** Whether the bytes keep to the bounds, if they are JSON. */
export function isWithin(bytes: Uint8Array, bounds: JsonBounds): boolean {
  let depth = 0;
  let values = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    if (byte === QUOTE) at = endOfText(bytes, at + 1);
    else if (byte === COMMA) values++;
    else if (isClosing(byte)) depth--;
    else if (isOpening(byte)) {
      depth++;
      values++;
    }
    if (depth > bounds.depth || values > bounds.values) return false;
  }
  return true;
}

/** Where the quotation mark is that ends this text. */
function endOfText(bytes: Uint8Array, start: number): number {
  let at = start;
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at;
}
