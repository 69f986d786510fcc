import type { NextConfig } from "next";
import { PHASE_PRODUCTION_BUILD } from "next/constants";

const sourceMaps = process.env["SOURCE_MAPS"] === "1";

/** Of the production build alone. */
const build: NextConfig = {
  // Traces the files of Next that a server needs: the published package has those in place of Next. PK-16
  output: "standalone",
};

/** Of the production build alone: the maps and the cache take ten times the space of what is served. */
const experimentalBuild: NextConfig["experimental"] = {
  serverSourceMaps: sourceMaps,
  turbopackSourceMaps: sourceMaps,
  turbopackFileSystemCacheForBuild: false,
};

const config = (phase: string): NextConfig => ({
  ...(phase === PHASE_PRODUCTION_BUILD ? build : {}),
  poweredByHeader: false,
  reactStrictMode: true,
  devIndicators: false,
  // The console has no pictures to optimize, and the optimizer would fetch its URLs for anybody.
  images: { unoptimized: true },
  // `npm run typecheck` checks types, with the compiler of the whole repository.
  typescript: { ignoreBuildErrors: true },
  // Of a request's body, Next buffers this much for the route behind the proxy. No route accepts more than 256 KiB.
  // `authInterrupts` lets a page answer 403 within the frame.
  experimental: {
    proxyClientMaxBodySize: "1mb",
    authInterrupts: true,
    ...(phase === PHASE_PRODUCTION_BUILD ? experimentalBuild : {}),
  },
  transpilePackages: [
    "@gatehouse/auth",
    "@gatehouse/console",
    "@gatehouse/guard",
    "@gatehouse/runtime",
    "@gatehouse/sdk",
    "@gatehouse/ui",
    "@gatehouse/webhooks",
  ],
  // The mailbox became part of the page Mail.
  async redirects() {
    return [{ source: "/mailbox", destination: "/mail", permanent: false }];
  },
  // CO-93: nobody frames the console or reads it from another site.
  async headers() {
    return [
      {
        source: "/:path*",
        headers: [
          { key: "X-Content-Type-Options", value: "nosniff" },
          { key: "Referrer-Policy", value: "no-referrer" },
          { key: "X-Frame-Options", value: "DENY" },
          { key: "Cross-Origin-Opener-Policy", value: "same-origin" },
          { key: "Cross-Origin-Resource-Policy", value: "same-origin" },
          { key: "Permissions-Policy", value: "camera=(), geolocation=(), microphone=(), payment=(), usb=()" },
        ],
      },
    ];
  },
});

export default config;
