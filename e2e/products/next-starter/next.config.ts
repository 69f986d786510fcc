import type { NextConfig } from "next";

export default {
  // As create-next-app has them.
  cacheComponents: true,
  partialPrefetching: true,
  typescript: { ignoreBuildErrors: true }, // `npm run typecheck` checks them
} satisfies NextConfig;
