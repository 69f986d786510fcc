import { timingSafeEqual } from "node:crypto";
import { onHashThread } from "../hash-threads.ts";
import {
  bounded,
  bytesOf,
  HashFormatError,
  MOST,
  parametersOf,
  provesUnlessPadded,
  type StoredHash,
} from "./format.ts";

export type ScryptCost = { N: number; r: number; p: number };

/** `$scrypt$ln=15,r=8,p=1$salt$hash`. RFC 7914. */
export function readScrypt(encoded: string): StoredHash {
  const [, , parameters = "", salt, digest, ...more] = encoded.split("$");
  if (more.length > 0) throw new HashFormatError("the scrypt hash has too many parts");
  const cost = scryptCost(parameters);
  const [saltBytes, expected] = [bytesOf("salt", salt), bytesOf("hash", digest)];
  return {
    kind: "scrypt",
    matches: async (password) =>
      timingSafeEqual(await deriveScrypt(password, saltBytes, expected.length, cost), expected),
    provesAllOf: provesUnlessPadded,
  };
}

/** `ln` is the binary logarithm of N. Throws if the computation needs more than {@link MOST}. */
export function scryptCost(parameters: string): ScryptCost {
  const values = parametersOf(parameters);
  const N = 2 ** bounded("ln", values.get("ln"), 20);
  const r = bounded("r", values.get("r"), 64);
  const p = bounded("p", values.get("p") ?? "1", MOST.lanes);
  if (128 * N * r * p > MOST.memoryBytes)
    throw new HashFormatError("the parameters ln, r and p need more than 256 MiB");
  return { N, r, p };
}

export function deriveScrypt(
  password: string,
  salt: Buffer,
  length: number,
  { N, r, p }: ScryptCost,
): Promise<Uint8Array> {
  const maxmem = 128 * N * r + 128 * r * p + 1024 * 1024;
  return onHashThread("node:crypto", "scryptSync", password, salt, length, { N, r, p, maxmem });
}
