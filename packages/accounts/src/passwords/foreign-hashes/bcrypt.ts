import { onHashThread } from "../hash-threads.ts";
import { bounded, HashFormatError, MOST, type StoredHash } from "./format.ts";

/** `$2b$12$…`. Only the first 72 bytes of the password count, as wherever the hash was made. */
export function readBcrypt(encoded: string): StoredHash {
  const [, cost] = /^\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{53}$/.exec(encoded) ?? [];
  if (cost === undefined) throw new HashFormatError("the bcrypt hash is not complete");
  bounded("cost", String(Number(cost)), MOST.bcryptCost);
  return {
    kind: "bcrypt",
    matches: (password) => onHashThread("@node-rs/bcrypt", "verifySync", password, encoded),
    provesAllOf,
  };
}

/** How much of its key bcrypt reads: the password, and a zero byte if one fits. */
const KEY_BYTES = 72;

/**
 * With its zero byte inside the key, the end of the password is part of the hash. From 72 bytes on it is not, so that a
 * match can also be the beginning of a longer password. The key is repeated up to 72 bytes, so what follows a zero byte
 * can be that repetition.
 */
function provesAllOf(password: string): boolean {
  return Buffer.byteLength(password) < KEY_BYTES && !password.includes("\0");
}
