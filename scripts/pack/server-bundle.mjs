import { readFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { ROOT } from "../steps.mjs";

const SERVER = join(ROOT, "packages/server");
const ours = (path) => join(SERVER, "src", path);
const web = (path) => join(ROOT, "apps/web", path);
const admin = (path) => join(ROOT, "apps/admin", path);

/** What the published package has in place of what a clone has. */
const IN_PLACE = new Map([
  ["@gatehouse/runtime/distribution", ours("distribution.ts")],
  ["@gatehouse/product", ours("product/index.ts")],
  ["@gatehouse/product/router", ours("product/router.ts")],
  ["better-sqlite3", ours("sqlite/better-sqlite3.ts")],
  // Its main file is one that esbuild cannot bundle.
  ["jsonc-parser", join(SERVER, "node_modules/jsonc-parser/lib/esm/main.js")],
]);

/** @type {import("esbuild").Plugin} */
const REPLACE = {
  name: "published",
  setup({ onResolve, onLoad }) {
    // Our own manifests name the private packages: of them the bundles have the version alone.
    onLoad({ filter: /[/\\]packages[/\\][^/\\]+[/\\]package\.json$/ }, ({ path }) => {
      const { version } = JSON.parse(readFileSync(path, "utf8"));
      return { contents: JSON.stringify({ version }), loader: "json" };
    });
    onResolve({ filter: /^(@gatehouse\/|better-sqlite3$|jsonc-parser$)/ }, ({ path, importer }) => {
      const replacement = IN_PLACE.get(path);
      return replacement === undefined || replacement === importer ? undefined : { path: replacement };
    });
  },
};

/** As apps/web/bundles.ts does. @type {import("esbuild").Plugin} */
const TRACES_APART = {
  name: "traces.mjs",
  setup: ({ onResolve }) =>
    onResolve({ filter: /\/open-telemetry\.ts$/ }, ({ kind }) =>
      kind === "entry-point" ? undefined : { path: "./traces.mjs", external: true },
    ),
};

const REQUIRE =
  'import { createRequire as createRequire_ } from "node:module"; const require = createRequire_(import.meta.url);';
/** Next takes the configuration from its build, as in its standalone output: there is no next.config.ts. */
const NEXT_CONFIG = `import { readFileSync as readFileSync_ } from "node:fs";
process.env.__NEXT_PRIVATE_STANDALONE_CONFIG = JSON.stringify(
  JSON.parse(readFileSync_(new URL("./.next/required-server-files.json", import.meta.url), "utf8")).config,
);`;

/** Libraries of package.json that the bundles contain. The others are natives, or load parts of themselves by path. */
const BUNDLED = ["@babel/parser", "@clack/prompts", "better-sqlite3", "commander", "diff", "jsonc-parser"];

/** The libraries that the package depends on, of those that its source names. PK-16 */
export function installedOf(dependencies) {
  return Object.fromEntries(
    Object.entries(dependencies).filter(([name]) => !name.startsWith("@gatehouse/") && !BUNDLED.includes(name)),
  );
}

/**
 * Bundles all that runs into `folder`: `dist` has the server and the command line, `console` the process of the
 * console. Returns the sources, relative to the repository's root. PK-16
 */
export async function bundleServer(folder) {
  const { dependencies } = JSON.parse(readFileSync(join(SERVER, "package.json"), "utf8"));
  const common = {
    absWorkingDir: ROOT,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20.9",
    external: ["next", "pg-native", ...Object.keys(installedOf(dependencies))],
    plugins: [REPLACE],
    banner: { js: REQUIRE },
    metafile: true,
    logLevel: "warning",
  };
  const program = { ...common, outdir: join(folder, "dist") };
  const console_ = { ...common, outdir: join(folder, "console") };
  const results = await Promise.all([
    build({
      ...program,
      entryPoints: { server: web("server.ts"), checkpoint: web("checkpoint.ts"), reads: web("reads.ts") },
      inject: [web("server/node/light/globals.ts")],
      plugins: [REPLACE, TRACES_APART],
    }),
    build({ ...program, entryPoints: { traces: web("server/traces/open-telemetry.ts") } }),
    build({ ...program, entryPoints: { handlers: web("handlers.ts") } }),
    // Both load the client of object stores only where it is used.
    build({ ...program, entryPoints: { gatehouse: ours("main.ts"), backup: web("backup.ts") }, splitting: true }),
    build({ ...console_, entryPoints: { start: admin("start.mjs") } }),
    build({
      ...console_,
      entryPoints: { serve: admin("serve.mjs") },
      banner: { js: `${REQUIRE}\n${NEXT_CONFIG}` },
    }),
  ]);
  return [...new Set(results.flatMap(({ metafile }) => Object.keys(metafile.inputs)))];
}
