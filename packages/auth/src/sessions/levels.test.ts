import { ACR, levelOf, meets } from "@gatehouse/guard";
import { describe, expect, test } from "vitest";
import { policyLevel, reportedLevel } from "./levels.ts";

const { email, password, upstream, mfa, phr } = ACR;

describe("levels of authentication, AL-01", () => {
  test("AL-01 a higher level meets a lower one, and equal ranks meet each other", () => {
    const order = [[email], [password, upstream], [mfa], [phr]];
    order.forEach((given, rank) => {
      order.forEach((wanted, other) => {
        for (const acr of given)
          for (const value of wanted) expect([acr, value, meets(acr, value)]).toEqual([acr, value, rank >= other]);
      });
    });
  });

  test.each(["", "urn:example:mfa", "toString", "__proto__", "constructor"])(
    "a value that is not ours is never met: %j",
    (value) => {
      expect(levelOf(value)).toBeUndefined();
      expect(meets(phr, value)).toBe(false);
      expect(meets(value, email)).toBe(false);
    },
  );

  test("AL-01 phr is another name for the phishing-resistant level", () => {
    expect([meets(phr, "phr"), meets(mfa, "phr"), levelOf("phr")]).toEqual([true, false, phr]);
  });

  test.each([
    [mfa, [], mfa],
    [mfa, [password], password],
    [mfa, [password, mfa], mfa],
    [mfa, [phr], mfa],
    [phr, ["phr", mfa], "phr"],
    [password, [mfa], password],
    [password, ["urn:example:loa"], password],
  ])("AL-01 tokens of a session at %s, asked for %j, report %s", (acr, requested, reported) => {
    expect(reportedLevel(acr, requested)).toBe(reported);
  });

  test("MF-09 the configuration demands a second factor of everybody, or of some roles", () => {
    expect(policyLevel("user", {})).toBeUndefined();
    expect(policyLevel("user", { secondFactor: { everybody: true, roles: [] } })).toBe(mfa);
    const some = { secondFactor: { everybody: false, roles: ["admin", "developer"] as const } };
    expect([policyLevel("admin", some), policyLevel("developer", some), policyLevel("viewer", some)]).toEqual([
      mfa,
      mfa,
      undefined,
    ]);
  });
});
