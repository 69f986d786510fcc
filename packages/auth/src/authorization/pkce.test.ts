import { describe, expect, test } from "vitest";
import { challengeOf, isChallenge, isVerifier, matchesChallenge } from "./pkce.ts";

// RFC 7636 appendix B.
const VERIFIER = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const CHALLENGE = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

describe("PKCE, RFC 7636", () => {
  test("PK-02 the verifier of RFC 7636 appendix B matches its challenge", () => {
    expect(challengeOf(VERIFIER)).toBe(CHALLENGE);
    expect(matchesChallenge(VERIFIER, CHALLENGE)).toBe(true);
  });

  test.each([
    ["PK-05 a verifier equal to the challenge", CHALLENGE, CHALLENGE],
    ["PK-02 another verifier", `${VERIFIER.slice(0, -1)}j`, CHALLENGE],
    ["PK-02 a challenge with padding", VERIFIER, `${CHALLENGE}=`],
    ["PK-04 an empty challenge", VERIFIER, ""],
  ])("%s does not match", (_, verifier, challenge) => {
    expect(matchesChallenge(verifier, challenge)).toBe(false);
  });

  test.each([
    ["43 characters", "a".repeat(43), true],
    ["128 characters", "a".repeat(128), true],
    ["every allowed sign", `-._~${"aZ09".repeat(10)}`, true],
    ["42 characters", "a".repeat(42), false],
    ["129 characters", "a".repeat(129), false],
    ["a plus", `+${"a".repeat(43)}`, false],
    ["a trailing newline", `${"a".repeat(43)}\n`, false],
    ["nothing", "", false],
  ])("PK-01 interop-20 verifier of %s", (_, value, fine) => {
    expect(isVerifier(value)).toBe(fine);
  });

  test.each([
    ["43 characters", CHALLENGE, true],
    ["42 characters", CHALLENGE.slice(1), false],
    ["44 characters", `${CHALLENGE}a`, false],
    ["padding", `${CHALLENGE}=`, false],
    ["a dot", `.${CHALLENGE.slice(1)}`, false],
    ["a trailing newline", `${CHALLENGE}\n`, false],
  ])("AZ-13 N10 challenge of %s", (_, value, fine) => {
    expect(isChallenge(value)).toBe(fine);
  });
});
