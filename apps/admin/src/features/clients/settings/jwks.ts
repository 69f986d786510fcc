import type { ClientSettings } from "@/trpc/types.ts";

type KeySet = NonNullable<ClientSettings["options"]["jwks"]>;

/** Members that only private and symmetric keys have. RFC 7518 §6. */
const PRIVATE_MEMBERS = ["d", "p", "q", "dp", "dq", "qi", "oth", "k"];

/**
 * Reads pasted keys: a key set, one key, or a list of keys. A string says what is wrong; it never leaves the browser
 * then. RFC 7517.
 */
export function readKeySet(text: string): KeySet | string {
  const parsed = parse(text);
  const keys = Array.isArray(parsed)
    ? parsed
    : isRecord(parsed) && Array.isArray(parsed["keys"])
      ? parsed["keys"]
      : [parsed];
  if (!keys.every(isKey)) return 'This is no key set. Paste JSON like { "keys": [{ "kty": "EC", … }] }.';
  if (keys.some((key) => PRIVATE_MEMBERS.some((name) => name in key)))
    return "This contains a private key. Paste the public keys only, and keep the private one with the client.";
  return { keys };
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isKey = (value: unknown): value is KeySet["keys"][number] => isRecord(value) && typeof value["kty"] === "string";

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Errors of the form by path: text in place of a key set is not sent, for it may hold a private key. */
export function checkKeys({ options }: ClientSettings): Record<string, string> {
  const typed: unknown = options.jwks;
  const read = typeof typed === "string" ? readKeySet(typed) : undefined;
  return typeof read === "string" ? { "options.jwks": read } : {};
}
