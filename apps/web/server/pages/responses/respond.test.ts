import { randomBytes } from "node:crypto";
import { createSeal } from "@gatehouse/auth";
import { h } from "preact";
import { describe, expect, test } from "vitest";
import { Layout } from "../../../views/layout.tsx";
import { frame } from "../../../views/testing/frame.ts";
import { notFound, wrongMethod } from "./errors.tsx";
import { notSignedIn } from "./not-signed-in.ts";
import { json, page, seeOther } from "./respond.ts";

const SCRIPT = '<script src="/assets/pages.js" defer></script>';
const injected = { dangerouslySetInnerHTML: { __html: SCRIPT } };
const visit = { frame: frame() };
const deps = { seal: createSeal("only for these tests, 32 characters or more", randomBytes), now: () => 1_800_000_000 };

describe("responses of the pages", () => {
  test.each([
    "https://App.example:443/a/../cb?a=%7e&code=x",
    "com.example.app:/cb?code=x",
    "http://127.0.0.1:5999?code=x",
    "/consent?request=abc",
  ])("NX-01 SE-04 RU-09 a redirect to %s is a 303 with the address byte for byte", (to) => {
    const answer = seeOther(to);
    expect([answer.status, answer.headers.get("location"), answer.body]).toEqual([303, to, null]);
  });

  test.each([
    ["a page", page(h("html", {}))],
    ["an error page", page(h("html", {}), { status: 400 })],
    ["a redirect", seeOther("https://app.example/cb?code=x")],
  ])("AZ-29 N18 %s is kept by nobody, framed by nobody and tells no site where it came from", (_, { headers }) => {
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("referrer-policy")).toBe("no-referrer");
    expect(headers.get("x-frame-options")).toBe("DENY");
    expect(headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
    expect(headers.get("access-control-allow-origin")).toBeNull();
  });

  test.each([
    ["a layout that loads our script", Layout({ frame: frame(), title: "Page", script: true }), "'self'"],
    ["a layout that does not", Layout({ frame: frame(), title: "Page" }), "'none'"],
    ["a title like it", Layout({ frame: frame(), title: `</title>${SCRIPT}` }), "'none'"],
    ["a body like it", Layout({ frame: frame(), title: "Page", children: h("p", injected) }), "'none'"],
    ["no head", h("html", {}, h("p", injected)), "'none'"],
  ])("WA-11 SE-13 the policy allows our script for the layout alone: %s", (_, content, expected) => {
    const policy = page(content).headers.get("content-security-policy");
    expect(/script-src ([^;]*)/.exec(policy ?? "")?.[1]).toBe(expected);
  });

  test("NX-02 another method gets 405 with Allow, as a page or as JSON", async () => {
    const [machine, human] = [wrongMethod("/token", "POST", visit), wrongMethod("/sign-in", "GET, HEAD, POST", visit)];
    expect([machine.status, machine.headers.get("allow"), machine.headers.get("content-type")]).toEqual([
      405,
      "POST",
      "application/json",
    ]);
    expect([human.status, human.headers.get("allow")]).toEqual([405, "GET, HEAD, POST"]);
    expect(human.headers.get("content-type")).toContain("text/html");
  });

  test("SE-12 after a sign-in, the user returns to the page of the form, never to another host", () => {
    const request = new Request("http://localhost:3000/device?user_code=A", { method: "POST" });
    expect(notSignedIn("signed_in", request, deps).headers.get("location")).toBe(
      "/sign-in?next=%2Fdevice%3Fuser_code%3DA",
    );
  });

  test.each([
    ["/orders?_rsc=1a2b3", "/orders"],
    ["/orders?a=b%20c&_rsc=1a2b3", "/orders?a=b+c"],
    ["/orders?a=b%20c", "/orders?a=b%20c"],
  ])("D9 a sign-in on the way to %s comes back to %s", (asked, next) => {
    const location =
      notSignedIn("signed_in", new Request(`http://localhost:3000${asked}`), deps).headers.get("location") ?? "";
    expect(new URLSearchParams(location.split("?")[1]).get("next")).toBe(next);
  });

  test.each([
    ["/nowhere", "text/html,*/*", "text/html; charset=utf-8"],
    ["/nowhere", "*/*", "application/json"],
    ["/api/nowhere", "text/html", "application/json"],
    ["/trpc", "text/html", "application/json"],
    ["/.well-known/nothing", "text/html", "application/json"],
  ])("BR-12 BB-05 what is not there (%s for %s) is 404 as %s", (path, accept, type) => {
    const request = new Request(`http://localhost:3000${path}`, { headers: { accept } });
    const answer = notFound({ ...visit, request });
    expect([answer.status, answer.headers.get("content-type")]).toEqual([404, type]);
    // BB-03 BB-05: a program in a page of another origin can read that there is nothing here, but it cannot read the
    // pages of this server.
    expect(answer.headers.get("access-control-allow-origin")).toBe(type === "application/json" ? "*" : null);
  });

  test("TK-09 JSON is not cached", () => {
    expect(json({ a: null }).headers.get("cache-control")).toBe("no-store");
  });
});
