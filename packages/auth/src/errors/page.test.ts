import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { REFUSAL_CAUSES } from "./refusal.ts";
import { ERRORS } from "./table.ts";

const ROOT = join(import.meta.dirname, "../../../..");
const causes: ReadonlySet<string> = new Set(REFUSAL_CAUSES);

/** The functions that make errors of one code; the cause is their first argument or their second. */
const CODE_OF: Record<string, string> = {
  invalidClient: "invalid_client",
  invalidGrant: "invalid_grant",
  badForm: "invalid_request",
  pageError: "invalid_request",
  invalidToken: "invalid_token",
  badProof: "invalid_dpop_proof",
  invalidRequestUri: "invalid_request_uri",
  invalidTarget: "invalid_target",
  documentError: "invalid_client",
  shown: "invalid_request",
  badToken: "invalid_request",
};

/** Every error that the code makes with literal names, as `code cause`. */
function madeErrors(): Set<string> {
  const made = new Set<string>();
  for (const file of ["packages/auth/src", "apps/web/server", "apps/web/app"].flatMap((folder) => filesBelow(folder))) {
    const text = readFileSync(join(ROOT, file), "utf8");
    for (const [, code, cause = ""] of text.matchAll(/(?:OAuthError|refusal|unmet|wrong)\(\s*"(\w+)",\s*"(\w+)"/g))
      if (causes.has(cause)) made.add(`${code} ${cause}`);
    for (const [, maker = "", cause = ""] of text.matchAll(/(\w+)\(\s*(?:"?\w+"?,\s*)?"(\w+)"/g)) {
      if (causes.has(cause) && CODE_OF[maker] !== undefined) made.add(`${CODE_OF[maker]} ${cause}`);
    }
  }
  return made;
}

function filesBelow(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => /\.tsx?$/.test(file) && !file.includes(".test.") && !file.startsWith("testing/"))
    .map((file) => `${folder}/${file}`);
}

describe("docs/errors.md", () => {
  test("has each pair of error and cause in the code", () => {
    const documented = new Set(
      Object.entries(ERRORS).flatMap(([cause, { codes }]) => codes.map((code) => `${code} ${cause}`)),
    );
    const made = [...madeErrors()];
    expect(made.length).toBeGreaterThan(80);
    expect(made.filter((pair) => !documented.has(pair))).toEqual([]);
  });

  test("says when each error happens and how to fix it, in full sentences that fit a table", () => {
    for (const [cause, { when, howToFix, where, codes }] of Object.entries(ERRORS)) {
      expect([cause, codes.length > 0, when, howToFix]).toEqual([
        cause,
        true,
        expect.stringMatching(/^\w.+\.$/),
        expect.stringMatching(/^\w.+\.$/),
      ]);
      expect(where + when + howToFix).not.toMatch(/[|\n]/);
    }
  });
});
