import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ACCESS, type Policy, PROTECTED_PATTERNS } from "./access.ts";
import { trailingSlash } from "./gate.ts";

const APP = join(import.meta.dirname, "../app");

/** Every route there is, as the framework sees them: folders with a route.ts or a page.tsx. */
const routes = readdirSync(APP, { recursive: true, encoding: "utf8" })
  .filter((file) => /(^|\/)(route|page)\.(ts|tsx)$/.test(file))
  .map((file) => `/${file.split("/").slice(0, -1).join("/")}`);

describe("the policy table, D9 SD-05", () => {
  test("names every route, and no route that is not there", () => {
    expect(routes.toSorted()).toEqual(Object.keys(ACCESS).toSorted());
  });

  test.each(routes.filter((path) => existsSync(join(APP, path, "route.ts"))))("%s is declared under its own path", (path) => {
    expect(/route\(\s*"([^"]+)"/.exec(readFileSync(join(APP, path, "route.ts"), "utf8"))?.[1]).toBe(path);
  });

  test("a page.tsx, and nothing else, is the framework's", () => {
    const react = Object.entries<Policy>(ACCESS).flatMap(([path, { audience }]) => (audience === "react" ? [path] : []));
    expect(routes.filter((path) => !existsSync(join(APP, path, "route.ts"))).toSorted()).toEqual(react.toSorted());
  });

  test("D10 the proxy protects /api/protected and what is below it", () => {
    expect(PROTECTED_PATTERNS).toEqual(["/api/protected(.*)"]);
  });

  test("webhooks ask for a signature and never for a session", () => {
    expect(ACCESS["/api/webhooks/[provider]"].demand).toBe("signature");
  });
});

test.each([
  ["/", "none"],
  ["/token", "none"],
  ["/token/", "elsewhere"],
  ["/api/resource/", "elsewhere"],
  ["/api/webhooks/stripe/", "same_as"],
  ["/api/webhooks/", "elsewhere"],
])("NX-03 %s: a slash at the end is %s", (path, kind) => {
  expect(trailingSlash(path).kind).toBe(kind);
});
