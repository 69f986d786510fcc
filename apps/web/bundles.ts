import type { BuildOptions, Plugin } from "esbuild";

const REQUIRE =
  'import { createRequire as createRequire_ } from "node:module"; const require = createRequire_(import.meta.url);';

/** The process of Next has the code of the server in common with what Next loads. */
const FROM_NEXT_BUNDLE: Plugin = {
  name: "next.mjs",
  setup: ({ onResolve }) =>
    onResolve({ filter: /server\/next\/bundled\.ts$/ }, () => ({ path: "./next.mjs", external: true })),
};

/** Most installations have no traces, and then nothing of OpenTelemetry is read. OP-76 */
const TRACES_APART: Plugin = {
  name: "traces.mjs",
  setup: ({ onResolve }) =>
    onResolve({ filter: /\/open-telemetry\.ts$/ }, ({ kind }) =>
      kind === "entry-point" ? undefined : { path: "./traces.mjs", external: true },
    ),
};

/**
 * What is bundled of the server, into a folder below apps/web: the bundles start in a fraction of the time that their
 * separate sources take. `dist/next.mjs` is the server for Next, which requires the standard `Response`, and for its
 * process, `dist/next-server.mjs`; webhook handlers have it too, in `dist/handlers.mjs`, and backups in `dist/backup.mjs`.
 */
export function bundles({ outdir, sourcemap }: { outdir: string; sourcemap: boolean }): BuildOptions[] {
  const common: BuildOptions = {
    outdir,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20.9",
    sourcemap,
    // Native modules cannot be bundled; Next and pino load parts of themselves by path.
    external: ["next", "better-sqlite3", "pg", "@node-rs/argon2", "@node-rs/bcrypt", "sharp", "pino"],
    banner: { js: REQUIRE },
    logLevel: "warning",
  };
  return [
    {
      ...common,
      entryPoints: { server: "server.ts", checkpoint: "checkpoint.ts", reads: "reads.ts" },
      inject: ["server/node/light/globals.ts"],
      plugins: [TRACES_APART],
    },
    { ...common, entryPoints: { traces: "server/traces/open-telemetry.ts" } },
    { ...common, entryPoints: { handlers: "handlers.ts" } },
    // What it imports dynamically, the client of object stores, is read only where it is used.
    { ...common, entryPoints: { backup: "backup.ts" }, splitting: true, chunkNames: "backup-[name]-[hash]" },
    { ...common, entryPoints: { next: "server/next/bundled.ts" } },
    { ...common, entryPoints: { "next-server": "next-server.ts" }, plugins: [FROM_NEXT_BUNDLE] },
  ];
}
