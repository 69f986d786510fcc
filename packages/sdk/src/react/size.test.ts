import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { expect, test } from "vitest";

test("PK-55 everything of /react is at most 3 KB without React, compressed, and begins with the directive", async () => {
  const { outputFiles } = await build({
    entryPoints: [`${import.meta.dirname}/index.tsx`],
    bundle: true,
    minify: true,
    write: false,
    format: "esm",
    jsx: "automatic",
    external: ["react", "react/jsx-runtime"],
  });
  const [file] = outputFiles;
  expect(file?.text.startsWith('"use client"')).toBe(true);
  expect(gzipSync(file?.contents ?? "", { level: 9 }).length).toBeLessThanOrEqual(3 * 1024);
});
