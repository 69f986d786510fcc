import { rm } from "node:fs/promises";
import { build } from "esbuild";

const REQUIRE = 'import { createRequire as createRequire_ } from "node:module"; const require = createRequire_(import.meta.url);';

/** Bundles the server into dist/. The bundle starts in a fraction of the time that its separate sources take. */
await rm("dist", { recursive: true, force: true });
await build({
  entryPoints: { server: "server.ts", checkpoint: "checkpoint.ts", reads: "reads.ts" },
  outdir: "dist",
  outExtension: { ".js": ".mjs" },
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node20.9",
  sourcemap: true,
  // Native modules cannot be bundled; Next and pino load parts of themselves by path.
  external: ["next", "better-sqlite3", "pg", "@node-rs/argon2", "@node-rs/bcrypt", "sharp", "pino"],
  inject: ["server/node/light/globals.ts"],
  banner: { js: REQUIRE },
  logLevel: "warning",
});
