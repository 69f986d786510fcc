import { resolve } from "node:path";

export default {
  // The whole repository, because the nearest tsconfig.json extends the one in its root.
  turbopack: { root: resolve(import.meta.dirname, "../../..") },
  poweredByHeader: false,
};
