import { createContext, runInContext } from "node:vm";
import { build } from "esbuild";
import { expect, test } from "vitest";

test("PK-14 the guard runs where there are Web APIs and nothing of Node", async () => {
  const { outputFiles } = await build({
    entryPoints: [`${import.meta.dirname}/index.ts`],
    bundle: true,
    write: false,
    platform: "neutral",
    format: "iife",
    globalName: "guard",
  });
  const context = createContext({ URL, Request, Response, Headers });
  runInContext(outputFiles[0]?.text ?? "", context);
  const guarded = `
    const check = guard.createGuard(guard.protectCallback().callback, { readSession: async () => undefined });
    check(new Request("https://app.example/api/protected"));
  `;
  expect(await runInContext(guarded, context)).toMatchObject({ status: 401 });
  expect(runInContext(`[typeof process, typeof Buffer, typeof require].join()`, context)).toBe(
    "undefined,undefined,undefined",
  );
});
