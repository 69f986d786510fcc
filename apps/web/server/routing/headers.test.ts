import { expect, test } from "vitest";
import { everywhereHeaders, OWN_SCRIPT_HEADERS, PAGE_HEADERS, reactPageHeaders } from "./headers.ts";

test("SE-10 SE-14 AZ-29 pages cannot be framed, run no script and load nothing from other hosts", () => {
  const policy = PAGE_HEADERS["Content-Security-Policy"];
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).toContain("script-src 'none'");
  expect(policy).not.toMatch(/https?:|unsafe/);
  expect(PAGE_HEADERS["X-Frame-Options"]).toBe("DENY");
  expect(PAGE_HEADERS).toMatchObject({ "Cache-Control": "no-store", "Referrer-Policy": "no-referrer" });
});

test("WA-11 N80 a page with our script runs those of its own origin, which can connect nowhere", () => {
  const { "Content-Security-Policy": policy = "", ...others } = OWN_SCRIPT_HEADERS;
  expect(policy).toBe(PAGE_HEADERS["Content-Security-Policy"]?.replace("script-src 'none'", "script-src 'self'"));
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toContain("connect-src");
  expect(others).toEqual(
    Object.fromEntries(Object.entries(PAGE_HEADERS).filter(([name]) => name !== "Content-Security-Policy")),
  );
});

test("SE-10 SE-14 a React page runs only scripts with its nonce and is otherwise as strict", () => {
  const { "Content-Security-Policy": policy = "", ...others } = reactPageHeaders("n0nce", false);
  expect(policy).toContain("script-src 'nonce-n0nce' 'strict-dynamic';");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toMatch(/https?:|unsafe|ws:|\*/);
  const { "Content-Security-Policy": _, ...ofPages } = PAGE_HEADERS;
  expect(others).toEqual(ofPages);
});

test("SE-11 there is no form-action, which would block the redirect to the client after consent", () => {
  expect(PAGE_HEADERS["Content-Security-Policy"]).not.toContain("form-action");
});

test("interop-16 there is no opener policy, which would separate pop-up clients from their page", () => {
  expect(PAGE_HEADERS).not.toHaveProperty("Cross-Origin-Opener-Policy");
  expect(new Headers(everywhereHeaders("https://id.example")).has("Cross-Origin-Opener-Policy")).toBe(false);
});

test("SE-01 HSTS is sent for an https issuer only", () => {
  expect(new Headers(everywhereHeaders("https://id.example")).has("Strict-Transport-Security")).toBe(true);
  expect(new Headers(everywhereHeaders("http://localhost:3000")).has("Strict-Transport-Security")).toBe(false);
});
