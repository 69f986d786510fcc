import { fileURLToPath } from "node:url";
import type { NextConfig } from "next";

const config: NextConfig = {
  // The workspace that has the lock file. Not needed in a repository of its own.
  turbopack: { root: fileURLToPath(new URL("../..", import.meta.url)) },
  typescript: { ignoreBuildErrors: true },
};

export default config;
