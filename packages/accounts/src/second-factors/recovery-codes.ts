import { type Deps, type Hash, plainCode, sha256 } from "@gatehouse/auth";
import { toBase32 } from "./base32.ts";

const COUNT = 8;
/** 120 bits: 24 characters of base32, and enough for an unsalted hash. MF-05. */
const BYTES = 15;
const LENGTH = 24;

/** New recovery codes, as shown to the user in groups of four, and the hashes to store. */
export function newRecoveryCodes(random: Deps["random"]): { codes: string[]; hashes: Hash[] } {
  const plain = Array.from({ length: COUNT }, () => toBase32(random(BYTES)));
  return { codes: plain.map((code) => code.replace(/(.{4})(?=.)/g, "$1-")), hashes: plain.map(hashOf) };
}

/** The hash of a typed code; undefined if it cannot be one. Case, keyboard, spaces and dashes do not matter. */
export function recoveryCodeHash(typed: string): Hash | undefined {
  const code = plainCode(typed);
  return code.length === LENGTH && /^[a-zA-Z2-7]+$/.test(code) ? hashOf(code.toUpperCase()) : undefined;
}

const hashOf = (code: string) => sha256(`recovery code ${code}`);
