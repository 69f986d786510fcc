import { fileURLToPath } from "node:url";
import type { NextConfig } from "next";

const config: NextConfig = {
  poweredByHeader: false,
  reactStrictMode: true,
  // A redirect from /token/ would post a secret twice; the proxy answers such paths with 404 instead.
  skipTrailingSlashRedirect: true,
  skipProxyUrlNormalize: true,
  transpilePackages: [
    "@gatehouse/api",
    "@gatehouse/auth",
    "@gatehouse/db",
    "@gatehouse/installation",
    "@gatehouse/lists",
    "@gatehouse/net",
    "@gatehouse/operations",
    "@gatehouse/product",
    "@gatehouse/ui",
    "@gatehouse/webhooks",
  ],
  serverExternalPackages: ["better-sqlite3", "pg", "@node-rs/argon2", "pino"],
  turbopack: { root: fileURLToPath(new URL("../..", import.meta.url)) },
  // The optimiser fetches what it is asked for from our own routes, past the proxy.
  images: { unoptimized: true },
  // The build has its own step for types; here it would be checked twice.
  typescript: { ignoreBuildErrors: true },
  headers: async () => [
    { source: "/:path*", headers: [{ key: "X-Content-Type-Options", value: "nosniff" }] },
    { source: "/assets/:file(.*\\.woff2)", headers: [{ key: "Cache-Control", value: "public, max-age=31536000, immutable" }] },
  ],
};

export default config;
