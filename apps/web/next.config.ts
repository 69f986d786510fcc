import { fileURLToPath } from "node:url";
import type { NextConfig } from "next";
import { PHASE_PRODUCTION_BUILD } from "next/constants";

const root = fileURLToPath(new URL("../..", import.meta.url));
const sourceMaps = process.env["SOURCE_MAPS"] === "1";

/** Of the production build alone. Development has source maps, and a cache. */
const build: NextConfig = {
  turbopack: {
    root,
    // They load the server from dist/next.mjs. docs/decisions/0018-one-server-module.md
    rules: {
      "**/app/**/route.ts": { loaders: ["./server/next/loader.mjs"] },
      "**/server/next/server.ts": { loaders: ["./server/next/loader.mjs"] },
    },
  },
  experimental: {
    // Larger than what they describe.
    serverSourceMaps: sourceMaps,
    turbopackSourceMaps: sourceMaps,
    turbopackMinify: { server: false, client: true },
    // Ten times the size of the build, which is quick without it.
    turbopackFileSystemCacheForBuild: false,
  },
};

const development: NextConfig = {
  turbopack: { root, rules: { "**/server/next/server.ts": { loaders: ["./server/next/development-loader.mjs"] } } },
};

const config = (phase: string): NextConfig => ({
  poweredByHeader: false,
  reactStrictMode: true,
  // A redirect from /token/ would make clients post a secret twice; proxy.ts responds with 404 instead.
  skipTrailingSlashRedirect: true,
  skipProxyUrlNormalize: true,
  transpilePackages: [
    "@gatehouse/accounts",
    "@gatehouse/auth",
    "@gatehouse/console",
    "@gatehouse/db",
    "@gatehouse/guard",
    "@gatehouse/installation",
    "@gatehouse/languages",
    "@gatehouse/mail",
    "@gatehouse/product",
    "@gatehouse/runtime",
    "@gatehouse/ui",
    "@gatehouse/webhooks",
  ],
  serverExternalPackages: ["better-sqlite3", "pg", "@node-rs/argon2", "@node-rs/bcrypt", "pino", "sharp"],
  ...(phase === PHASE_PRODUCTION_BUILD ? build : development),
  // The image optimizer would fetch our own routes without passing the guard.
  images: { unoptimized: true },
  // The type check is a step of its own.
  typescript: { ignoreBuildErrors: true },
  headers: async () => [
    { source: "/:path*", headers: [{ key: "X-Content-Type-Options", value: "nosniff" }] },
    {
      source: "/assets/:file(.*\\.woff2)",
      headers: [{ key: "Cache-Control", value: "public, max-age=31536000, immutable" }],
    },
  ],
});

export default config;
