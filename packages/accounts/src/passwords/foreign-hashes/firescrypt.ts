import { createCipheriv, timingSafeEqual } from "node:crypto";
import { bytesOf, HashFormatError, provesUnlessPadded, type StoredHash } from "./format.ts";
import { deriveScrypt, scryptCost } from "./scrypt.ts";

/**
 * Firebase's variant of scrypt, as Ory Kratos writes it:
 * `$firescrypt$ln=14,r=8,p=1$salt$hash$salt separator$signer key`. The derived key encrypts the project's signer key;
 * the result is the hash.
 */
export function readFirescrypt(encoded: string): StoredHash {
  const [, , parameters = "", salt, digest, separator, signerKey, ...more] = encoded.split("$");
  if (more.length > 0) throw new HashFormatError("the firescrypt hash has too many parts");
  const cost = scryptCost(parameters);
  const saltBytes = Buffer.concat([bytesOf("salt", salt), separatorOf(separator)]);
  const expected = bytesOf("hash", digest);
  const key = bytesOf("key", signerKey);
  return {
    kind: "firescrypt",
    async matches(password) {
      const derived = await deriveScrypt(password, saltBytes, 64, cost);
      const cipher = createCipheriv("aes-256-ctr", derived.subarray(0, 32), Buffer.alloc(16));
      const made = Buffer.concat([cipher.update(key), cipher.final()]);
      return made.length === expected.length && timingSafeEqual(made, expected);
    },
    provesAllOf: provesUnlessPadded,
  };
}

/** One byte by default, so {@link bytesOf} does not apply. */
function separatorOf(text: string | undefined): Buffer {
  if (text === undefined || !/^[A-Za-z0-9+/]{0,24}={0,2}$/.test(text))
    throw new HashFormatError("the salt separator is not base64");
  return Buffer.from(text, "base64");
}
