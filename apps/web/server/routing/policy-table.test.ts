import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { productPolicies } from "@gatehouse/product";
import { describe, expect, test } from "vitest";
import { requirementOf } from "./policy-lookup.ts";
import { CORE_POLICIES, POLICIES, type Policy } from "./policy-table.ts";

const APP = join(import.meta.dirname, "../../app");

/**
 * All routes as Next sees them: folders with a `route` or a `page` file. A folder in parentheses is not part of the
 * URL.
 */
const FILES = readdirSync(APP, { recursive: true, encoding: "utf8" }).filter((file) =>
  /(^|\/)(route|page)\.[jt]sx?$/.test(file),
);
const urlOf = (file: string) =>
  `/${file
    .split("/")
    .slice(0, -1)
    .filter((segment) => !/^\(.*\)$/.test(segment))
    .join("/")}`;
const isPage = (file: string) => /page\.[jt]sx?$/.test(file);
const sourceOf = (file: string) => readFileSync(join(APP, file), "utf8");

describe("the policy table, D9 SD-05", () => {
  test("lists every route file, and no other path", () => {
    expect(FILES.map(urlOf).toSorted()).toEqual(Object.keys(POLICIES).toSorted());
  });

  test("the product's routes take the place of none of Gatehouse's", () => {
    expect(Object.keys(productPolicies).filter((path) => Object.hasOwn(CORE_POLICIES, path))).toEqual([]);
  });

  test.each(FILES.filter((file) => !isPage(file)))("%s passes its own path to route()", (file) => {
    expect(/route\(\s*"([^"]+)"/.exec(sourceOf(file))?.[1]).toBe(urlOf(file));
  });

  test("lists every page.tsx as a React page, and no other file", () => {
    const react = Object.entries<Policy>(POLICIES).flatMap(([path, { kind }]) => (kind === "react" ? [path] : []));
    expect(FILES.filter(isPage).map(urlOf).toSorted()).toEqual(react.toSorted());
  });

  test("D9 every guarded React page checks its own session too", () => {
    const guarded = FILES.filter(
      (file) => isPage(file) && (POLICIES as Record<string, Policy>)[urlOf(file)]?.requires !== "public",
    );
    expect(guarded.filter((file) => !sourceOf(file).includes(`pageSession("${urlOf(file)}")`))).toEqual([]);
  });

  test.each([
    ["/api/protected", "session"],
    ["/api/protected/a/b", "session"],
    ["/account", "signed_in"],
    ["/consent", "signed_in"],
    ["/device", "signed_in"],
    ["/device_authorization", undefined],
    ["/api/protectedx", undefined],
    ["/api/resource", undefined],
    ["/token", undefined],
    ["/", undefined],
  ])("D10 the guard requires of %s: %s", (path, requires) => {
    expect(requirementOf(path, () => path)).toBe(requires);
  });

  test("webhooks require a signature, never a session", () => {
    expect(POLICIES["/api/webhooks/[provider]"].requires).toBe("signature");
  });
});
