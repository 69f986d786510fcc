import { describe, expect, test } from "vitest";
import { matchRoutes, type RouteModule } from "./routes.ts";

const moduleOf = (path: string) => ({ path }) as unknown as RouteModule;

describe("matching paths to route modules, D3", () => {
  const paths = ["/[...notFound]", "/", "/files/[[...rest]]", "/files/[id]", "/files/new", "/docs/[...rest]"] as const;
  const find = matchRoutes(Object.fromEntries(paths.map((path) => [path, moduleOf(path)])) as never);

  test.each([
    ["/", "/", {}],
    ["/files/new", "/files/new", {}],
    ["/files/7", "/files/[id]", { id: "7" }],
    ["/files/a%20b", "/files/[id]", { id: "a b" }],
    ["/files/%6eew", "/files/new", {}],
    ["/files", "/files/[[...rest]]", {}],
    ["/files/a/b", "/files/[[...rest]]", { rest: "a/b" }],
    ["/docs/a/b", "/docs/[...rest]", { rest: "a/b" }],
    ["/docs", "/[...notFound]", {}],
    ["/Files/new", "/[...notFound]", {}],
    ["/files/new/", "/[...notFound]", {}],
    ["/elsewhere", "/[...notFound]", {}],
  ])("%s leads to %s", (pathname, path, params) => {
    expect(find(pathname)).toMatchObject({ module: moduleOf(path), params });
  });
});
