import { expect } from "vitest";
import type { Page } from "../harness/agent.ts";
import { callback } from "../harness/flow.ts";
import { type Answer, json } from "../harness/http.ts";

/** The characters that AZ-25 and TK-11 allow in an error description. */
const ERROR_TEXT = /^[\x20-\x21\x23-\x5B\x5D-\x7E]*$/;

/** An HTML page with status 400 that links nowhere, because the redirect URI is unproven. */
export function expectErrorPage(page: Page): void {
  expect(page.status).toBe(400);
  expect(page.headers.get("location")).toBeNull();
  expect(page.headers.get("content-type")).toMatch(/^text\/html/);
}

/** An error at the client's redirect URI, in the query, with the issuer, the state and nothing else. */
export function expectErrorRedirect(
  page: Page,
  error: string,
  { to, iss, state }: { to: string; iss: string; state: string | null },
): void {
  const { uri, params } = callback(page);
  expect({ uri, error: params.get("error") }).toEqual({ uri: to, error });
  expect(page.headers.get("location")).not.toContain("#");
  expect(params.getAll("iss")).toEqual([iss]);
  expect(params.get("state")).toBe(state);
  expect(params.has("code")).toBe(false);
  for (const name of params.keys()) expect(["error", "error_description", "error_uri", "state", "iss"]).toContain(name);
  expect(params.get("error_description") ?? "").toMatch(ERROR_TEXT);
}

/** A JSON error with its status, code, no-store and a readable description. */
export function expectJsonError(answer: Answer, status: number, error: string): void {
  expect([answer.status, json(answer)["error"]]).toEqual([status, error]);
  expect(answer.headers.get("content-type")).toMatch(/^application\/json/);
  expect(answer.headers.get("cache-control")).toContain("no-store");
  expect(String(json(answer)["error_description"] ?? "")).toMatch(ERROR_TEXT);
}

/** 405 with the allowed methods. */
export function expectNotAllowed(answer: Answer, allowed: string): void {
  expect(answer.status).toBe(405);
  expect(answer.headers.get("allow") ?? "").toContain(allowed);
}

/** The headers of every page of the flow. SE-10, AZ-29. */
export function expectPageHeaders(answer: Answer): void {
  expect(answer.headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
  expect(answer.headers.get("x-frame-options")).toBe("DENY");
  expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
  expect(answer.headers.get("referrer-policy")).toBe("no-referrer");
  expect(answer.headers.get("cache-control")).toContain("no-store");
  expect(answer.headers.get("access-control-allow-origin")).toBeNull();
}
