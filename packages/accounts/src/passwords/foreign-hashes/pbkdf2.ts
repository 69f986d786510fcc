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

/** By the name in the hash, Node's name of the digest. Without a suffix, passlib and RFC 2898 mean SHA-1. */
const DIGESTS: Readonly<Record<string, string>> = {
  pbkdf2: "sha1",
  "pbkdf2-sha1": "sha1",
  "pbkdf2-sha256": "sha256",
  "pbkdf2-sha512": "sha512",
};

/** `$pbkdf2-sha256$i=27500$salt$hash`; passlib leaves `i=` out, others add the length as `l=`. RFC 8018 §5.2. */
export function readPbkdf2(encoded: string): StoredHash {
  const [, name = "", parameters = "", salt, hash, ...more] = encoded.split("$");
  const digest = DIGESTS[name];
  if (digest === undefined || more.length > 0)
    throw new HashFormatError("PBKDF2 is supported with SHA-1, SHA-256 and SHA-512");
  const values = parametersOf(parameters);
  const iterations = bounded("i", values.get("i") ?? values.get(""), MOST.pbkdf2Iterations);
  const [saltBytes, expected] = [bytesOf("salt", salt), bytesOf("hash", hash)];
  return {
    kind: "pbkdf2",
    async matches(password) {
      const args = [password, saltBytes, iterations, expected.length, digest];
      return timingSafeEqual(await onHashThread<Uint8Array>("node:crypto", "pbkdf2Sync", ...args), expected);
    },
    provesAllOf: provesUnlessPadded,
  };
}

/**
 * The PHC form of a password as Keycloak exports it: `{ "secretData": "{\"value\":…,\"salt\":…}", "credentialData":
 * "{\"hashIterations\":…,\"algorithm\":\"pbkdf2-sha256\"}" }`. The inner values can be objects too.
 */
export function fromKeycloak(credential: unknown): string {
  const secret = member(credential, "secretData");
  const data = member(credential, "credentialData");
  const [value, salt, algorithm] = [member(secret, "value"), member(secret, "salt"), member(data, "algorithm")];
  const iterations = member(data, "hashIterations");
  if (typeof value !== "string" || typeof salt !== "string" || typeof iterations !== "number")
    throw new HashFormatError(
      "a Keycloak credential has secretData with value and salt, and credentialData with hashIterations",
    );
  if (algorithm !== undefined && (typeof algorithm !== "string" || !Object.hasOwn(DIGESTS, algorithm)))
    throw new HashFormatError("only Keycloak's pbkdf2, pbkdf2-sha256 and pbkdf2-sha512 are supported");
  return `$${algorithm ?? "pbkdf2"}$i=${iterations}$${salt}$${value}`;
}

function member(of: unknown, name: string): unknown {
  const object = typeof of === "string" ? parse(of) : of;
  return typeof object === "object" && object !== null ? Reflect.get(object, name) : undefined;
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
