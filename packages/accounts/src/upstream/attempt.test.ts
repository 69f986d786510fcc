import { createSeal } from "@gatehouse/auth";
import { NOON, seededRandom } from "@gatehouse/auth/testing";
import { describe, expect, test } from "vitest";
import { attemptCookies, endAttemptCookies, readAttempt, type UpstreamAttempt } from "./attempt.ts";

const random = seededRandom("attempt");
const seal = createSeal("0123456789012345678901234567890123456789", random);
const at = (seconds: number) => ({
  config: { issuer: "https://gate.example" } as never,
  seal,
  now: () => NOON + seconds,
});

const attempt = (change: Partial<UpstreamAttempt> = {}): UpstreamAttempt => ({
  providerId: "google",
  purpose: "sign_in",
  state: "a-state",
  nonce: "a-nonce",
  verifier: "a-verifier",
  request: undefined,
  next: undefined,
  keep: true,
  maxAgeSeconds: null,
  sessionId: null,
  issuedAt: NOON,
  ...change,
});

/** The `Cookie` header of a browser that received these `Set-Cookie` values. */
function browser(...responses: string[][]): string {
  const jar = new Map<string, string>();
  for (const line of responses.flat()) {
    const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    if (/Max-Age=0/.test(line)) jar.delete(name);
    else jar.set(name, value);
  }
  return [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
}

describe("UP-03 the cookie of an attempt", () => {
  test("is sealed, __Host-, HttpOnly, SameSite=Lax and lives for ten minutes", () => {
    const [line = ""] = attemptCookies(attempt(), null, at(0));
    expect(line).toMatch(/^__Host-gatehouse_upstream_[\w-]{16}\.0=/);
    expect(line).toMatch(/; Path=\/; HttpOnly; SameSite=Lax; Secure; Max-Age=600$/);
    expect(line).not.toContain("google");
  });

  test("brings the attempt back to the browser that began it, for ten minutes", () => {
    const begun = attempt({
      request: "sealed-request",
      next: "/account",
      purpose: "connect",
      sessionId: "here",
      maxAgeSeconds: 60,
      keep: false,
    });
    const header = browser(attemptCookies(begun, null, at(0)));
    expect(readAttempt("a-state", header, at(599))).toEqual(begun);
    expect(readAttempt("a-state", header, at(600))).toBeUndefined();
    expect(readAttempt("another", header, at(0))).toBeUndefined();
    expect(readAttempt("a-state", null, at(0))).toBeUndefined();
  });

  test("carries the longest pending request in cookies that browsers keep", () => {
    const request = Buffer.from(random(8300)).toString("base64url");
    const cookies = attemptCookies(attempt({ request }), null, at(0));
    expect(Math.max(...cookies.map((line) => line.length))).toBeLessThan(4096);
    const header = browser(cookies);
    expect(header.length).toBeLessThan(14_000);
    expect(readAttempt("a-state", header, at(0))?.request).toBe(request);
  });

  test("does not open with another pending request, or a part missing", () => {
    const header = browser(attemptCookies(attempt({ request: "sealed-request" }), null, at(0)));
    expect(readAttempt("a-state", header.replace("sealed-request", "sealed-another"), at(0))).toBeUndefined();
    expect(readAttempt("a-state", header.replace(".sealed-request", ""), at(0))).toBeUndefined();
  });

  test("several attempts of one browser stand side by side; beyond three the oldest is dropped", () => {
    let header = "";
    for (const state of ["one", "two", "three", "four"]) {
      header = browser(header.split("; ").filter(Boolean), attemptCookies(attempt({ state }), header, at(0)));
    }
    const found = ["one", "two", "three", "four"].map((state) => readAttempt(state, header, at(0))?.state);
    expect(found).toEqual([undefined, "two", "three", "four"]);
  });

  test("is deleted with the answer", () => {
    const header = browser(
      attemptCookies(attempt(), null, at(0)),
      attemptCookies(attempt({ state: "other" }), null, at(0)),
    );
    const after = browser(header.split("; "), endAttemptCookies("a-state", header, at(0)));
    expect([readAttempt("a-state", after, at(0)), readAttempt("other", after, at(0))?.state]).toEqual([
      undefined,
      "other",
    ]);
  });
});
