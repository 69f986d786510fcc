import crypto, { createHash, timingSafeEqual } from "node:crypto";

/**
 * SHA-256 of a generated secret, base64url. Only {@link sha256} and {@link storageHash} make one, so no plain secret
 * reaches the store. SE-06.
 */
export type Hash = string & { readonly __brand: "Hash" };

/** Returns `length` bytes from a cryptographically secure source. */
export type Random = (length: number) => Uint8Array;

/** Prefixes of generated secrets, by kind. Secret scanners and log filters recognise them. */
export const PREFIX = {
  accessToken: "gat_",
  refreshToken: "grt_",
  authorizationCode: "gac_",
  deviceCode: "gdc_",
  clientSecret: "gcs_",
  session: "gse_",
  /** Allows registering clients. RFC 7591 §3. */
  initialAccessToken: "gia_",
  /** In the link of an invitation. RG-08. */
  invitation: "giv_",
  /** Allows managing the one client it was issued with. RFC 7592 §1.2. */
  registrationToken: "grg_",
  /** For automation, on /trpc alone. CO-70. */
  apiToken: "gap_",
  /** In a link that was mailed. */
  mailedToken: "gml_",
} as const;

/** Three times as fast as `createHash`; available from Node 20.12. */
const hashOnce: ((algorithm: string, data: string, encoding: "base64url") => string) | undefined = crypto.hash;

/** The SHA-256 of a generated, high-entropy secret. Not for passwords, which use argon2id. */
export function sha256(secret: string): Hash {
  return (hashOnce?.("sha256", secret, "base64url") ?? createHash("sha256").update(secret).digest("base64url")) as Hash;
}

/** 64 characters in the sort order of databases. */
const SORTED = "-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz";
const [SECOND_CHARACTERS, NUMBER_CHARACTERS] = [6, 3];
const TIME_CHARACTERS = SECOND_CHARACTERS + NUMBER_CHARACTERS;
const LAST_NUMBER = 64 ** NUMBER_CHARACTERS - 1;
let [second, secondText, number] = [-1, "", 0];

/** A number below 64 to the power of `characters`, in characters that sort as the numbers do. */
export function toSortable(value: number, characters: number): string {
  let text = "";
  for (let rest = value, at = 0; at < characters; at++, rest = Math.floor(rest / 64))
    text = SORTED.charAt(rest % 64) + text;
  return text;
}

/**
 * The current second and a counter within it, as nine characters that sort by time. They only order rows; nothing
 * trusts them.
 */
function nextTimePrefix(now: number): string {
  if (now !== second) [second, secondText, number] = [now, toSortable(now, SECOND_CHARACTERS), 0];
  else number = Math.min(number + 1, LAST_NUMBER);
  return secondText + toSortable(number, NUMBER_CHARACTERS);
}

let [expiry, expiryText, minted] = [-1, "", 0];

/**
 * An expiry and a counter, in the same form. The counter runs on from second to second, because tokens of several
 * lifetimes are minted in turn.
 */
function nextExpiryPrefix(expiresAt: number): string {
  if (expiresAt !== expiry) [expiry, expiryText] = [expiresAt, toSortable(expiresAt, SECOND_CHARACTERS)];
  minted = (minted + 1) % (LAST_NUMBER + 1);
  return expiryText + toSortable(minted, NUMBER_CHARACTERS);
}

/**
 * Kinds with many rows. Their secrets and hashes start with a time prefix, so new rows are adjacent in the index: a
 * commit writes one or two pages instead of one per row. The time is that of issue; of an access token it is the
 * expiry, so that the sweeper deletes a range of keys.
 */
const TIME_ORDERED = ["accessToken", "authorizationCode"] as const;
type TimeOrderedKind = (typeof TIME_ORDERED)[number];
const TIME_ORDERED_PREFIXES: ReadonlySet<string> = new Set(TIME_ORDERED.map((kind) => PREFIX[kind]));
const PREFIX_CHARACTERS = 4;
/** In base64url. */
const SHA256_CHARACTERS = 43;

/** The hash under which a presented secret is stored: SHA-256, after the time prefix if it has one. */
export function storageHash(secret: string): Hash {
  const hash = sha256(secret);
  if (!TIME_ORDERED_PREFIXES.has(secret.slice(0, PREFIX_CHARACTERS)))
    return ((jwtTimePrefix(secret) ?? "") + hash) as Hash;
  return (secret.slice(PREFIX_CHARACTERS, PREFIX_CHARACTERS + TIME_CHARACTERS) + hash) as Hash;
}

/** The start of the claims of every JWT access token: its expiry, then the counter in its id. */
const TIMED_CLAIMS = /^\{"exp":(\d{1,11}),"jti":"[\w-]{6}([\w-]{3})/;
/** In base64url, enough for {@link TIMED_CLAIMS}. */
const TIMED_CLAIMS_CHARACTERS = 48;

/**
 * The time prefix of a JWT access token, read without verifying: altered claims only lead to a key that does not exist.
 */
function jwtTimePrefix(token: string): string | undefined {
  if (!token.startsWith("eyJ")) return undefined;
  const start = token.indexOf(".") + 1;
  const claims = Buffer.from(token.slice(start, start + TIMED_CLAIMS_CHARACTERS), "base64url").toString("latin1");
  const [, exp, counter = ""] = TIMED_CLAIMS.exec(claims) ?? [];
  return exp === undefined ? undefined : toSortable(Number(exp), SECOND_CHARACTERS) + counter;
}

const ID_CHARACTERS = 22;

/** The public id of what is stored under this hash: 132 bits of it, from which nobody can find the secret. */
export function idOfHash(hash: Hash): string {
  return hash.slice(-SHA256_CHARACTERS, ID_CHARACTERS - SHA256_CHARACTERS);
}

export type MintedSecret = { secret: string; hash: Hash };
/** Clock in Unix seconds and secure random source. */
export type MintDeps = { now: () => number; random: Random };

/**
 * A new secret with 256 bits of entropy, in `[A-Za-z0-9_-]`, and the hash under which it is stored. OAuth 2.1 §7.7,
 * SE-05, CA-03.
 */
export function mintSecret(
  kind: Exclude<keyof typeof PREFIX, TimeOrderedKind | "refreshToken">,
  random: Random,
): MintedSecret {
  const secret = PREFIX[kind] + Buffer.from(random(32)).toString("base64url");
  return { secret, hash: sha256(secret) };
}

/** As {@link mintSecret}, with the time as a prefix: for codes, which have many rows. AC-07. */
export function mintTimeOrdered(
  kind: Exclude<TimeOrderedKind, "accessToken">,
  { now, random }: MintDeps,
): MintedSecret {
  return timeOrderedSecret(kind, nextTimePrefix(now()), random(32));
}

/** The secret of 256 bits that were derived instead of drawn, with the time prefix of an id. */
export function timeOrderedSecret(kind: TimeOrderedKind, timeOrderedId: string, bits: Uint8Array): MintedSecret {
  const secret = PREFIX[kind] + timeOrderedId.slice(0, TIME_CHARACTERS) + Buffer.from(bits).toString("base64url");
  return { secret, hash: storageHash(secret) };
}

/** As {@link mintSecret}, with the expiry (Unix seconds) as a prefix. */
export function mintAccessToken(expiresAt: number, random: Random): MintedSecret {
  return timeOrderedSecret("accessToken", nextExpiryPrefix(expiresAt), random(32));
}

/**
 * A new row id: at least 127 random bits in base64url, 22 characters. Starts with a letter or digit, because a leading
 * `-` reads as a command-line option. Not a secret.
 */
export function mintId(random: Random): string {
  const bytes = Buffer.from(random(16));
  const [first = 0] = bytes;
  if (first >= 0xf8) bytes[0] = first & 0x7f; // 62 and 63 are `-` and `_`
  return bytes.toString("base64url");
}

/** A new id with a time prefix, for tables with many rows: 96 random bits, 25 characters. Not a secret. */
export function mintTimeOrderedId({ now, random }: MintDeps): string {
  return nextTimePrefix(now()) + Buffer.from(random(12)).toString("base64url");
}

/**
 * A new id of a rotation: the time prefix of the access token that it brings, which expires then, and 96 random bits.
 * Not a secret.
 */
export function mintRotationId(expiresAt: number, random: Random): string {
  return nextExpiryPrefix(expiresAt) + Buffer.from(random(12)).toString("base64url");
}

/** The lower bound of the time-ordered ids and keys of that Unix second and later ones. */
export function timeOrderedIdsFrom(seconds: number): string {
  return toSortable(Math.min(Math.max(seconds, 0), 64 ** SECOND_CHARACTERS - 1), SECOND_CHARACTERS);
}

/** When a time-ordered id was made, Unix seconds. */
export function timeOfId(id: string): number {
  return fromSortable(id.slice(0, SECOND_CHARACTERS));
}

/** The number that {@link toSortable} wrote. Not a meaningful one for other text. */
export function fromSortable(text: string): number {
  return [...text].reduce((value, character) => value * 64 + SORTED.indexOf(character), 0);
}

/** Compares two strings of any length in constant time. */
export function constantTimeEqual(a: string, b: string): boolean {
  const left = createHash("sha256").update(a).digest();
  const right = createHash("sha256").update(b).digest();
  return timingSafeEqual(left, right);
}
