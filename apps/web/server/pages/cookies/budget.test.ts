import { randomBytes } from "node:crypto";
import { attemptCookies, readAttempt, type UpstreamAttempt } from "@gatehouse/accounts";
import { cookie, createSeal } from "@gatehouse/auth";
import { describe, expect, test } from "vitest";
import { budgetCookies, COOKIE_BUDGET_BYTES } from "./budget.ts";

const config = { issuer: "https://gate.example" };
const seal = createSeal("0123456789012345678901234567890123456789", (length) => randomBytes(length));
const deps = { config: config as never, seal, now: () => 1_700_000_000 };

const attempt = (state: string, request: string): UpstreamAttempt => ({
  providerId: "google",
  purpose: "sign_in",
  state,
  nonce: "n",
  verifier: "v",
  request,
  next: undefined,
  keep: true,
  maxAgeSeconds: null,
  sessionId: null,
  issuedAt: 1_700_000_000,
});
const long = (bytes: number) => randomBytes(bytes).toString("base64url");

/** A browser: receives what a response sets, and sends what it has, oldest first. */
function newBrowser() {
  const jar = new Map<string, string>();
  const header = () => [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
  const receive = (...lines: string[]) => {
    const { drops } = budgetCookies(header(), lines, config);
    for (const line of [...lines, ...drops]) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (line.includes("Max-Age=0")) jar.delete(name);
      else jar.set(name, value);
    }
  };
  return { header, receive, names: () => [...jar.keys()] };
}
const known = (at: number) => cookie(`__Host-gatehouse_known_${String(at).padStart(12, "0")}`, long(100), config);

describe("one budget of bytes for all cookies of this host", () => {
  test("three sign-ins at providers with a long state, in a browser that knows eight accounts, stay below what Node reads", () => {
    const { header, receive } = newBrowser();
    receive(cookie("__Host-gatehouse_session", long(40), config), ...Array.from({ length: 8 }, (_, at) => known(at)));
    for (const state of ["one", "two", "three"]) {
      receive(...attemptCookies(attempt(state, long(4_500)), header(), deps));
      expect(header().length).toBeLessThanOrEqual(COOKIE_BUDGET_BYTES);
      expect(readAttempt(state, header(), deps)?.state).toBe(state);
    }
    expect(readAttempt("one", header(), deps)).toBeUndefined();
    expect(header()).toContain("__Host-gatehouse_session=");
  });

  test("abandoned sign-ins go before accounts that the browser is known to, the oldest first, and nothing else goes", () => {
    const { header, receive, names } = newBrowser();
    receive("other_app=x; Path=/", cookie("__Host-gatehouse_session", long(40), config), known(1), known(2));
    receive(...attemptCookies(attempt("old", long(1_000)), header(), deps));
    receive(...attemptCookies(attempt("new", long(8_300)), header(), deps));
    expect(readAttempt("old", header(), deps)).toBeUndefined();
    expect(names().slice(0, 4)).toEqual([
      "other_app",
      "__Host-gatehouse_session",
      "__Host-gatehouse_known_000000000001",
      "__Host-gatehouse_known_000000000002",
    ]);
    receive(`another_app=${"x".repeat(19_000)}; Path=/`);
    expect(names()).toHaveLength(5 + names().filter((name) => name.includes("upstream")).length);
    receive(`another_app=${"x".repeat(43_600)}; Path=/`);
    expect(names()).toEqual([
      "other_app",
      "__Host-gatehouse_session",
      "__Host-gatehouse_known_000000000002",
      "another_app",
    ]);
  });

  test("what cannot be dropped is told, so that no sign-in begins whose answer could not be read", () => {
    const begun = (foreign: number) => {
      const header = `foreign=${"x".repeat(foreign)}`;
      return budgetCookies(header, attemptCookies(attempt("new", long(8_000)), header, deps), config);
    };
    expect(begun(19_000)).toEqual({ drops: [], isOver: false });
    expect(begun(40_000)).toEqual({ drops: [], isOver: true });
  });

  test("a response that stays within the budget drops nothing, and a deleted cookie does not count", () => {
    expect(budgetCookies(null, [], config)).toEqual({ drops: [], isOver: false });
    const header = `__Host-gatehouse_known_000000000001=${"x".repeat(12_000)}; __Host-gatehouse_b=${"y".repeat(1_000)}`;
    expect(budgetCookies(header, ["__Host-gatehouse_b=; Path=/; Max-Age=0"], config).drops).toEqual([]);
    expect(budgetCookies(header, ["c=1"], config).drops).toHaveLength(1);
  });
});
