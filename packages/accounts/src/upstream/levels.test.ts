import { ACR, RECOVERY_AMR, UNDATED_AMR } from "@gatehouse/auth";
import { describe, expect, test } from "vitest";
import { trustedLevel } from "./levels.ts";

const provider = {
  settings: { trustAcr: { mfa: ACR.mfa, phr: "phr", "https://corp.example/loa2": ACR.mfa, odd: "no level" } },
};

describe("UP-13 levels of a provider", () => {
  test.each([
    ["a mapped amr", { acr: null, amr: ["pwd", "mfa"] }, { acr: ACR.mfa, amr: ["pwd", "mfa"] }],
    ["a mapped acr", { acr: "https://corp.example/loa2", amr: [] }, { acr: ACR.mfa, amr: [] }],
    ["the strongest of several", { acr: "phr", amr: ["mfa"] }, { acr: ACR.phr, amr: ["mfa"] }],
    ["nothing mapped, and no amr passed on", { acr: "0", amr: ["pwd"] }, { acr: null, amr: [] }],
    ["our own names, which a provider cannot claim", { acr: ACR.mfa, amr: [ACR.phr] }, { acr: null, amr: [] }],
    [
      "our own marks, which a provider cannot claim",
      { acr: null, amr: ["mfa", RECOVERY_AMR, UNDATED_AMR] },
      { acr: ACR.mfa, amr: ["mfa"] },
    ],
    ["a value mapped to no level", { acr: "odd", amr: [] }, { acr: null, amr: [] }],
  ])("%s", (_, said, level) => {
    expect(trustedLevel(said, provider)).toEqual(level);
    expect(trustedLevel(said, { settings: {} })).toEqual({ acr: null, amr: [] });
  });
});
