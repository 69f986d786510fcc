import { rm } from "node:fs/promises";
import { build } from "esbuild";

const REQUIRE =
  'import { createRequire as createRequire_ } from "node:module"; const require = createRequire_(import.meta.url);';

/** Bundles the command line into dist/: most of a command's time would otherwise go into compiling its sources. */
await rm("dist", { recursive: true, force: true });
await build({
  entryPoints: { main: "src/bin.ts" },
  outdir: "dist",
  outExtension: { ".js": ".mjs" },
  bundle: true,
  splitting: true, // the client of object stores is read only where it is used
  platform: "node",
  format: "esm",
  target: "node20.9",
  sourcemap: process.env["SOURCE_MAPS"] === "1",
  // Native, or loads parts of itself by path
  external: ["better-sqlite3", "pg", "@node-rs/argon2", "@node-rs/bcrypt", "sharp"],
  banner: { js: REQUIRE },
  logLevel: "warning",
});
