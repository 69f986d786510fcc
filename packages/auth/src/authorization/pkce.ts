import { createHash, timingSafeEqual } from "node:crypto";

/** RFC 7636 §4.1. */
const VERIFIER = /^[A-Za-z0-9\-._~]{43,128}$/;
/** A SHA-256 in base64url: 43 characters without padding. */
const CHALLENGE = /^[A-Za-z0-9_-]{43}$/;

/** Is this a well-formed `code_verifier`? PK-01. */
export function isVerifier(value: string): boolean {
  return VERIFIER.test(value);
}

/** Is this a well-formed S256 `code_challenge`? AZ-13. */
export function isChallenge(value: string): boolean {
  return CHALLENGE.test(value);
}

/** The S256 challenge of a verifier. RFC 7636 §4.2. */
export function challengeOf(verifier: string): string {
  return createHash("sha256").update(verifier, "ascii").digest("base64url");
}

/**
 * Does the verifier match the S256 challenge? Compares in constant time. The method `plain` is not supported, so a
 * verifier equal to the challenge does not match. RFC 7636 §4.6, PK-02, PK-05.
 */
export function matchesChallenge(verifier: string, challenge: string): boolean {
  const expected = Buffer.from(challengeOf(verifier));
  const actual = Buffer.from(challenge);
  return expected.length === actual.length && timingSafeEqual(expected, actual);
}
