import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { trailingSlash } from "./guard.ts";
import { demandOf } from "./policy.ts";
import { ACCESS, type Policy } from "./policy-table.ts";

const APP = join(import.meta.dirname, "../../app");

/** Every route there is, as Next sees them: folders with a `route` or a `page` file. A folder in parentheses is no part of the URL. */
const FILES = readdirSync(APP, { recursive: true, encoding: "utf8" }).filter((file) => /(^|\/)(route|page)\.[jt]sx?$/.test(file));
const urlOf = (file: string) =>
  `/${file
    .split("/")
    .slice(0, -1)
    .filter((segment) => !/^\(.*\)$/.test(segment))
    .join("/")}`;
const isPage = (file: string) => /page\.[jt]sx?$/.test(file);
const sourceOf = (file: string) => readFileSync(join(APP, file), "utf8");

describe("the policy table, D9 SD-05", () => {
  test("names every route, and no route that is not there", () => {
    expect(FILES.map(urlOf).toSorted()).toEqual(Object.keys(ACCESS).toSorted());
  });

  test.each(FILES.filter((file) => !isPage(file)))("%s is declared under its own path", (file) => {
    expect(/route\(\s*"([^"]+)"/.exec(sourceOf(file))?.[1]).toBe(urlOf(file));
  });

  test("a page, and nothing else, is rendered by Next", () => {
    const react = Object.entries<Policy>(ACCESS).flatMap(([path, { audience }]) => (audience === "react" ? [path] : []));
    expect(FILES.filter(isPage).map(urlOf).toSorted()).toEqual(react.toSorted());
  });

  test("D9 a page enforces its own demand too", () => {
    const guarded = FILES.filter((file) => isPage(file) && (ACCESS as Record<string, Policy>)[urlOf(file)]?.demand !== "public");
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
  ])("D10 the gate demands of %s: %s", (path, demand) => {
    expect(demandOf(path, () => path)).toBe(demand);
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
