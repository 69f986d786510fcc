import { onHashThread } from "../hash-threads.ts";
import { bounded, bytesOf, HashFormatError, MOST, parametersOf, type StoredHash } from "./format.ts";

/** `$argon2id$v=19$m=19456,t=2,p=1$salt$hash`. RFC 9106. */
export function readArgon2(encoded: string): StoredHash {
  const [, kind, version, parameters = "", salt, digest, ...more] = encoded.split("$");
  if ((kind !== "argon2id" && kind !== "argon2i") || version !== "v=19" || more.length > 0)
    throw new HashFormatError("only argon2id and argon2i of version 19 are supported");
  const values = parametersOf(parameters);
  bounded("m", values.get("m"), MOST.memoryBytes / 1024);
  bounded("t", values.get("t"), MOST.passes);
  bounded("p", values.get("p"), MOST.lanes);
  bytesOf("salt", salt);
  bytesOf("hash", digest);
  return {
    kind,
    matches: (password) => onHashThread("@node-rs/argon2", "verifySync", encoded, password),
    provesAllOf: () => true,
  };
}
