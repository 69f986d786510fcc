import { fromDigits, fromHex } from "../encoding.ts";
import type { Incoming } from "../incoming.ts";
import type { Claim, MessageToSign, Signature } from "./adapter.ts";
import { claimOf, describeMac, MAX_SIGNATURE_HEADER_LENGTH, macOf } from "./signatures.ts";

/**
 * A header with a time and HMAC-SHA256 signatures in hex over the time, a separator and the body:
 * `t=1700000000,v1=3e…`.
 */
export type TimedHeader = {
  header: string;
  /** Between the entries of the header. */
  separator: "," | ";";
  /** The names of the time and of the only scheme that counts. */
  time: string;
  scheme: string;
  /** The names of other schemes. Entries with other names are ignored. */
  otherSchemes: RegExp;
  /** Between the time and the body in the signed text. */
  joint: "." | ":";
  unit: "s" | "ms";
};

/** Reads the claim of a {@link TimedHeader}. */
export function readTimedHeader({ headers, body }: Pick<Incoming, "headers" | "body">, options: TimedHeader): Claim {
  const header = headers.get(options.header)?.trim();
  if (!header) return { kind: "missing" };
  if (header.length > MAX_SIGNATURE_HEADER_LENGTH) return { kind: "malformed", problem: "it is longer than 8 KB" };

  const times: string[] = [];
  const signatures: Signature[] = [];
  const problems: string[] = [];
  const unknownSchemes: string[] = [];
  for (const item of header.split(options.separator)) {
    const entry = item.trim();
    const equals = entry.indexOf("=");
    const name = equals < 0 ? entry : entry.slice(0, equals);
    const value = equals < 0 ? "" : entry.slice(equals + 1);
    if (name === options.time) times.push(value);
    else if (name === options.scheme) {
      const bytes = fromHex(value);
      if (bytes?.length === 32) signatures.push({ algorithm: "hmac-sha256", bytes });
      else problems.push(`a ${name} signature is not ${describeMac("hmac-sha256", "hex")}`);
    } else if (options.otherSchemes.test(name)) unknownSchemes.push(name);
  }

  const [time] = times;
  const at = time === undefined ? undefined : fromDigits(time);
  if (time === undefined || at === undefined || times.length > 1) {
    return { kind: "malformed", problem: `it needs exactly one ${options.time}= with a Unix time in digits` };
  }
  const timestamp = options.unit === "ms" ? Math.floor(at / 1000) : at;
  return claimOf({ signatures, problems, unknownSchemes, signed: [time + options.joint, body], timestamp });
}

/** The delivery with a {@link TimedHeader}. */
export function signTimedHeader(
  { body, secret, timestamp }: MessageToSign,
  { header, separator, time, scheme, joint, unit }: TimedHeader,
) {
  const at = unit === "ms" ? timestamp * 1000 : timestamp;
  const mac = macOf("hmac-sha256", secret, [`${at}${joint}`, body]).toString("hex");
  return {
    headers: { "content-type": "application/json", [header]: `${time}=${at}${separator}${scheme}=${mac}` },
    body,
  };
}
