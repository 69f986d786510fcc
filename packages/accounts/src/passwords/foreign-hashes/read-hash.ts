import { readArgon2 } from "./argon2.ts";
import { readBcrypt } from "./bcrypt.ts";
import { readFirescrypt } from "./firescrypt.ts";
import { HashFormatError, type StoredHash } from "./format.ts";
import { readPbkdf2 } from "./pbkdf2.ts";
import { readScrypt } from "./scrypt.ts";

const FORMATS: readonly [prefix: RegExp, read: (encoded: string) => StoredHash][] = [
  [/^\$argon2/, readArgon2],
  [/^\$2[aby]\$/, readBcrypt],
  [/^\$scrypt\$/, readScrypt],
  [/^\$pbkdf2(-sha(1|256|512))?\$/, readPbkdf2],
  [/^\$firescrypt\$/, readFirescrypt],
];

/** The longest hash that any of the formats needs. */
const MOST_CHARACTERS = 1024;

/**
 * Reads a password hash of this server or of the system that an import came from. Looks at its parameters before
 * anything is computed: throws {@link HashFormatError} if the format is unknown or checking a password would cost too
 * much. UM-06, UM-07.
 */
export function readPasswordHash(encoded: string): StoredHash {
  const [, read] = FORMATS.find(([prefix]) => prefix.test(encoded)) ?? [];
  if (!read || encoded.length > MOST_CHARACTERS)
    throw new HashFormatError(
      "the format is not supported; use argon2id, argon2i, bcrypt, scrypt, PBKDF2 or Firebase scrypt",
    );
  return read(encoded);
}
