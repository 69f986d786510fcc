import { describe, expect, test } from "vitest";
import { loadBinary } from "./binary.ts";

const VERSION = "12.11.1";
const PREBUILT = `@gatehouse/sqlite-${process.platform}-${process.arch}/node-v${process.versions.modules}.node`;
const COMPILED = "better-sqlite3/build/Release/better_sqlite3.node";

/** A place where these modules are installed. An error is what loading one throws. */
const placeWith = (modules: Record<string, unknown>) => (id: string) => {
  const found = modules[id];
  if (found instanceof Error) throw found;
  if (found === undefined)
    throw Object.assign(new Error(`Cannot find module '${id}'\nRequire stack: …`), { code: "MODULE_NOT_FOUND" });
  return found;
};

describe("PK-17 SQLite's native code", () => {
  test("comes from the package of this platform, in the file of this Node's ABI", () => {
    const binary = {};
    expect(loadBinary(VERSION, [placeWith({ [PREBUILT]: binary })])).toBe(binary);
  });

  test("or from a better-sqlite3 of the same version that the user's project compiled", () => {
    const binary = {};
    const project = placeWith({ "better-sqlite3/package.json": { version: VERSION }, [COMPILED]: binary });
    expect(loadBinary(VERSION, [placeWith({}), project])).toBe(binary);
  });

  test("is missing: exit code 78, and the ways out", () => {
    const attempt = () => loadBinary(VERSION, [placeWith({}), placeWith({})]);
    expect(attempt).toThrow(
      expect.objectContaining({
        exitCode: 78,
        message: expect.stringMatching(
          /ABI \d+\) on \w+-\w+:\n {2}@gatehouse\/sqlite-\S+: not installed\n {2}better-sqlite3@12\.11\.1: not installed\nWays out:\n.*--include=optional.*\n.*better-sqlite3@12\.11\.1.*\n.*DATABASE_URL=postgres:/,
        ),
      }),
    );
  });

  test("does not load, as on musl: the message says why", () => {
    const broken = new Error("Error loading shared library ld-linux-x86-64.so.2");
    expect(() => loadBinary(VERSION, [placeWith({ [PREBUILT]: broken }), placeWith({})])).toThrow(/ld-linux-x86-64/);
  });

  test("of another version of better-sqlite3 is not used", () => {
    const other = placeWith({ "better-sqlite3/package.json": { version: "11.0.0" }, [COMPILED]: {} });
    expect(() => loadBinary(VERSION, [other])).toThrow(/better-sqlite3@12\.11\.1: the installed version is 11\.0\.0/);
  });
});
