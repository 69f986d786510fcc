/** A password hash that is well formed and not too costly to check. */
export type StoredHash = {
  kind: HashKind;
  matches(password: string): Promise<boolean>;
  /**
   * Whether a match proves every byte of this password. Some algorithms give the same hash to passwords that differ at
   * the end: such a match lets somebody in, as it did where the hash was made, but must not replace the hash by one of
   * what was typed. PW-05.
   */
  provesAllOf(password: string): boolean;
};

/** Every {@link HashKind}. */
export const HASH_KINDS = ["argon2id", "argon2i", "bcrypt", "scrypt", "pbkdf2", "firescrypt"] as const;
export type HashKind = (typeof HASH_KINDS)[number];

/** Why a hash is not accepted, for the operator who imports it. Never contains the hash. */
export class HashFormatError extends Error {
  override readonly name = "HashFormatError";
}

/**
 * HMAC, and so PBKDF2 and scrypt, pads its key with zero bytes: a password with some at its end has the same hash
 * without them. RFC 2104 §2.
 */
export const provesUnlessPadded = (password: string): boolean => !password.endsWith("\0");

/** The bounds that keep one sign-in from using up the server. UM-07. */
export const MOST = {
  memoryBytes: 256 * 1024 * 1024,
  passes: 10,
  lanes: 16,
  bcryptCost: 14,
  pbkdf2Iterations: 2_000_000,
} as const;

/** A whole number of the hash's parameters; throws above `most`. */
export function bounded(name: string, text: string | undefined, most: number): number {
  const value = text !== undefined && /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= 1)) throw new HashFormatError(`the parameter ${name} is missing or not a number`);
  if (value > most) throw new HashFormatError(`the parameter ${name} is ${value}; at most ${most} is allowed`);
  return value;
}

/** Parameters as `m=19456,t=2,p=1`. */
export function parametersOf(text: string): Map<string, string> {
  return new Map(
    text.split(",").map((pair): [string, string] => {
      const at = pair.indexOf("=");
      return at < 0 ? ["", pair] : [pair.slice(0, at), pair.slice(at + 1)];
    }),
  );
}

const SALT = { least: 4, most: 128 };
const DIGEST = { least: 16, most: 128 };

/** Bytes in base64, with or without padding; `.` as passlib writes `+`. */
export function bytesOf(name: "salt" | "hash" | "key", text: string | undefined): Buffer {
  const { least, most } = name === "hash" ? DIGEST : SALT;
  if (text === undefined || !/^[A-Za-z0-9+/._-]+={0,2}$/.test(text))
    throw new HashFormatError(`the ${name} is not base64`);
  const bytes = Buffer.from(text.replaceAll(".", "+"), "base64");
  if (bytes.length < least || bytes.length > most)
    throw new HashFormatError(`the ${name} must have ${least} to ${most} bytes`);
  return bytes;
}
