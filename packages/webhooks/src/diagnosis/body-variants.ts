import { brotliDecompressSync, gunzipSync, inflateSync } from "node:zlib";
import { parseJson } from "../body.ts";
import type { Finding, Variant } from "./finding.ts";
import { escapeNonAscii, type JsonStyle, restyleJson, unescapeNonAscii } from "./json-text.ts";

const RAW_BODY = "Verify and forward the bytes as they arrived, before anything parses them.";
const BETWEEN =
  "Find what changes the body between the sender and Gatehouse: a proxy, a gateway or a function that forwards it.";

const STYLES: readonly [JsonStyle, string][] = [
  [{ indent: null, comma: "", colon: "" }, "compact JSON"],
  [{ indent: "  ", comma: "", colon: " " }, "JSON indented by two spaces"],
  [{ indent: null, comma: " ", colon: " " }, "JSON with a space after commas and colons, as Python writes it"],
  [{ indent: "    ", comma: "", colon: " " }, "JSON indented by four spaces"],
  [{ indent: "\t", comma: "", colon: " " }, "JSON indented by tabs"],
];

const MAX_DECOMPRESSED_BYTES = 1024 * 1024;
const UTF8_BOM = Buffer.from([0xef, 0xbb, 0xbf]);

/** Bodies that the sender may have signed if this one arrived. Without the body itself and without repeats. */
export function bodyVariants(body: Uint8Array): Variant<Uint8Array>[] {
  const bytes = Buffer.from(body);
  const seen = new Set([bytes.toString("latin1")]);
  return [...lineVariants(bytes), ...jsonVariants(bytes), ...decompressed(bytes)].filter(({ value }) => {
    const text = Buffer.from(value).toString("latin1");
    return seen.size < seen.add(text).size;
  });
}

function lineVariants(bytes: Buffer): Variant<Uint8Array>[] {
  const text = bytes.toString("latin1"); // keeps every byte
  const variant = (value: string, finding: Finding) => ({ value: Buffer.from(value, "latin1"), finding });
  const lineFeeds: Finding = {
    kind: "crlf",
    sentence: "The sender signed the body with line breaks of one byte (LF), and it arrived with two (CRLF).",
    fix: BETWEEN,
  };
  const carriageReturns: Finding = {
    kind: "crlf",
    sentence: "The sender signed the body with line breaks of two bytes (CRLF), and it arrived with one (LF).",
    fix: BETWEEN,
  };
  const added: Finding = {
    kind: "trailing_newline",
    sentence: "A line break was added to the end of the body on the way.",
    fix: BETWEEN,
  };
  const cut: Finding = {
    kind: "trailing_newline",
    sentence: "White space at the end of the body was cut off on the way.",
    fix: BETWEEN,
  };
  const mark: Finding = {
    kind: "byte_order_mark",
    sentence: "A byte order mark at the start of the body was added or removed on the way.",
    fix: BETWEEN,
  };
  return [
    variant(text.replaceAll("\r\n", "\n"), lineFeeds),
    variant(text.replace(/\r?\n/g, "\r\n"), carriageReturns),
    variant(text.trimEnd(), added),
    variant(`${text}\n`, cut),
    variant(`${text}\r\n`, cut),
    {
      value: bytes.subarray(0, 3).equals(UTF8_BOM) ? bytes.subarray(3) : Buffer.concat([UTF8_BOM, bytes]),
      finding: mark,
    },
  ];
}

function jsonVariants(bytes: Buffer): Variant<Uint8Array>[] {
  if (!parseJson(bytes)) return [];
  const text = bytes.toString("utf8");
  const variants: Variant<Uint8Array>[] = [];
  for (const [style, name] of STYLES) {
    const finding: Finding = {
      kind: "reserialised_json",
      sentence: `The sender signed ${name}. The body was parsed and written again on the way.`,
      fix: RAW_BODY,
    };
    const restyled = restyleJson(text, style);
    if (restyled === undefined) continue;
    variants.push({ value: Buffer.from(restyled), finding }, { value: Buffer.from(`${restyled}\n`), finding });
  }
  const escaped: Finding = {
    kind: "escaped_json",
    sentence: "The sender signed JSON that escapes other characters. The body was parsed and written again on the way.",
    fix: RAW_BODY,
  };
  const escapes = [
    escapeNonAscii,
    unescapeNonAscii,
    (one: string) => one.replaceAll("\\/", "/"),
    (one: string) => one.replace(/(?<!\\)\//g, "\\/"),
    (one: string) => escapeNonAscii(one).replace(/(?<!\\)\//g, "\\/"),
  ];
  const texts = [text, ...STYLES.slice(0, 3).flatMap(([style]) => restyleJson(text, style) ?? [])];
  for (const rewrite of escapes) {
    for (const one of texts) variants.push({ value: Buffer.from(rewrite(one)), finding: escaped });
  }
  return variants;
}

function decompressed(bytes: Buffer): Variant<Uint8Array>[] {
  const finding: Finding = {
    kind: "compressed_body",
    sentence: "The sender signed the uncompressed body, and it arrived compressed.",
    fix: "Switch off compression of request bodies in what is in front of Gatehouse.",
  };
  return [gunzipSync, inflateSync, brotliDecompressSync].flatMap((decompress) => {
    try {
      const value = decompress(bytes, { maxOutputLength: MAX_DECOMPRESSED_BYTES });
      return value.length > 0 ? [{ value, finding }] : [];
    } catch {
      return [];
    }
  });
}
