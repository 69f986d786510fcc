import { parseOptions } from "@node-rs/argon2";
import { onHashThread } from "./hash-threads.ts";

/** 19 MiB, two passes, one lane: OWASP's minimum for argon2id, the library's default algorithm. PW-05. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** The hash of an unknown random password: checking it takes as long as checking a real one. PW-07. */
export const NOBODYS_HASH =
  "$argon2id$v=19$m=19456,t=2,p=1$otU5ltb5p0X2pHnPutnMsA$y8RFZ+3ZXOOuuLlI/eb+EANvEzOwfYD7Vsc7P71Nu6Y";

/** An argon2id hash in PHC format, with its salt and cost. */
export function argon2Hash(password: string): Promise<string> {
  return onHashThread("@node-rs/argon2", "hashSync", password, COST);
}

/** Whether a well-formed hash is as strong as new ones: argon2id at no lower cost. PW-05. */
export function isCurrentHash(hashed: string): boolean {
  if (!hashed.startsWith("$argon2id$")) return false;
  const { memoryCost, timeCost } = parseOptions(hashed);
  return memoryCost >= COST.memoryCost && timeCost >= COST.timeCost;
}
