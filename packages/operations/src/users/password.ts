import { hash, verify } from "@node-rs/argon2";
import type { Problem } from "../domain-error.ts";

/** 19 MiB, two passes, one lane: OWASP's recommendation for argon2id, the library's default algorithm. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** The hash of an unknown random password: checking it takes as long as checking a real one. */
const NOBODY = "$argon2id$v=19$m=19456,t=2,p=1$otU5ltb5p0X2pHnPutnMsA$y8RFZ+3ZXOOuuLlI/eb+EANvEzOwfYD7Vsc7P71Nu6Y";

/** Every problem with a new password; empty if it is acceptable. */
export function passwordProblems(password: string, email: string): Problem[] {
  const tell = (message: string) => [{ path: "password", message }];
  if (password.length < 10) return tell("use at least 10 characters");
  if (password.length > 256) return tell("use at most 256 characters");
  if (password.trim().toLowerCase() === email.trim().toLowerCase()) return tell("choose something other than the e-mail address");
  return [];
}

/** argon2id, encoded with its salt and cost. */
export function hashPassword(password: string): Promise<string> {
  return hash(password, COST);
}

/** Checks a password against a user's hash; takes as long when there is no user. */
export async function matchesPassword(passwordHash: string | undefined, password: string): Promise<boolean> {
  if (password.length > 256) return false; // no password is that long; saves the hashing
  const right = await verify(passwordHash ?? NOBODY, password);
  return right && passwordHash !== undefined;
}
