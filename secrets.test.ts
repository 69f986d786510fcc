import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { PREFIX } from "./packages/auth/src/crypto/secret.ts";

// OP-99: no file of the repository has a secret that somebody could use. What tests need is visibly made up: it counts,
// repeats itself or says in words what it is for.

const OURS = Object.values(PREFIX).join("|");
const SHAPES = [
  // Our own: 32 random bytes, some after a time.
  new RegExp(`\\b(?:${OURS})[\\w-]{40,}`, "g"),
  // Webhook signing secrets, of Stripe, Standard Webhooks and ours.
  /\bwhsec_[\w+/=-]{24,}/g,
  /-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----(?:\\n|\s)+[\w+/=]{32,}/g,
  // Keys of vendors: Stripe, AWS, GitHub, npm, Slack, Google.
  /\b[srp]k_live_\w{16,}/g,
  /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/g,
  /\bgh[pousr]_\w{36,}|\bgithub_pat_\w{40,}/g,
  /\bnpm_\w{36,}/g,
  /\bxox[abprs]-[\w-]{20,}/g,
  /\bAIza[\w-]{35}\b/g,
];

/** Keys of tests that do not look made up. They open nothing. */
const OF_TESTS = new Set([
  "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", // the vector of the reference libraries of Standard Webhooks
  "whsec_C2FVsBQIhrscChlQIMVb5sSYspob7oDD", // another one in their form, for what is signed with the wrong secret
  "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD", // the same, with a character that only standard base64 has
  "whsec_c2VjcmV0LW9mLXRoaXJ0eS10d28tYnl0ZXMhISE", // words in base64
  "whsec_c2VjcmV0LW9mLXRoaXJ0eS10d28tYnl0ZXMhISE=",
  "gcs_tOwnvP8ZHjaVjIT_2lsCuMJg2aCdZYs8SEY-EmuMde0", // derived from 0123456789abcdef, twice
]);

const isMadeUp = (text: string) => /0123456789|9876543210|(.)\1{7}|only_for|-secret-/.test(text);

function secretsIn(text: string): string[] {
  return SHAPES.flatMap((shape) => text.match(shape) ?? []).filter((one) => !OF_TESTS.has(one) && !isMadeUp(one));
}

test("OP-99 the repository contains no secret", () => {
  const files = execFileSync("git", ["ls-files", "-z"], { cwd: import.meta.dirname, encoding: "utf8" }).split("\0");
  const found = files
    .filter((file) => /\.(?!png$|jpg$|ico$|woff2$|mmdb$)\w+$|\/\.[\w.-]+$/.test(file))
    .flatMap((file) =>
      secretsIn(readFileSync(join(import.meta.dirname, file), "utf8")).map(
        (secret) => `${file}: ${secret.slice(0, 12)}…`,
      ),
    );
  expect(found).toEqual([]);
});

test("OP-99 the scan finds secrets of each kind, and not what is visibly made up", () => {
  const random = randomBytes(32);
  const text = random.toString("base64url");
  const letters = random.toString("hex");
  const real = [
    ...Object.values(PREFIX).map((prefix) => prefix + text),
    `whsec_${random.toString("base64")}`,
    `-----BEGIN PRIVATE KEY-----\n${random.toString("base64")}`,
    `"-----BEGIN RSA PRIVATE KEY-----\\n${random.toString("base64")}`,
    `sk_live_${letters}`,
    `AKIA${letters.slice(0, 16).toUpperCase()}`,
    `ghp_${letters}`,
    `npm_${letters}`,
    `xoxb-${letters}`,
    `AIza${letters.slice(0, 35)}`,
  ];
  for (const secret of real) expect(secretsIn(`const secret = "${secret}";`), secret).toHaveLength(1);
  for (const word of ["whsec_test_0123456789abcdefgh", "gcs_web-secret-0123456789-0123456789-01234567", "gat_"])
    expect(secretsIn(word), word).toEqual([]);
});
