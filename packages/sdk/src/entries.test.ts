import { join } from "node:path";
import { build } from "esbuild";
import { expect, test } from "vitest";
import manifest from "../package.json" with { type: "json" };

/** What each entry may load besides the libraries that every product installs. */
const FRAMEWORKS: Record<string, string[]> = {
  next: ["next", "react"],
  express: ["express"],
  hono: ["hono"],
  trpc: ["@trpc/server", "@trpc/client"],
  react: ["react"],
};
const ALL = new Set(Object.values(FRAMEWORKS).flat());
const nameOf = (path: string) =>
  path
    .split("/")
    .slice(0, path.startsWith("@") ? 2 : 1)
    .join("/");

test.each(Object.entries(manifest.exports))("PK-10 importing %s loads no other framework", async (entry, file) => {
  const { metafile } = await build({
    entryPoints: [join(import.meta.dirname, "..", file)],
    bundle: true,
    write: false,
    metafile: true,
    platform: "neutral",
    format: "esm",
    packages: "external",
  });
  const loaded = Object.values(metafile.outputs).flatMap(({ imports }) => imports.map(({ path }) => nameOf(path)));
  const own = FRAMEWORKS[entry.split("/")[1] ?? ""] ?? [];
  expect(Object.keys(metafile.inputs)).not.toEqual([]); // some entries need nothing but Web APIs
  expect(loaded.filter((name) => ALL.has(name) && !own.includes(name))).toEqual([]);
});
