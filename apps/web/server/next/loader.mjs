import { relative } from "node:path";
import { fileURLToPath } from "node:url";

const WEB = fileURLToPath(new URL("../..", import.meta.url));

/**
 * A loader of Next's production build. Replaces each route handler, and server.ts of this folder, with a module that
 * loads dist/next.mjs. Next would otherwise bundle the whole server once for each of them.
 */
export default function loadBundle() {
  const path = relative(WEB, this.resourcePath).replaceAll("\\", "/");
  const depth = path.split("/").length;
  // Next takes `new URL(…, import.meta.url)` for a file to copy.
  const lines = [
    `const web = import.meta.url.split("/").slice(0, -${depth}).join("/");`,
    `const bundle = await import(/* turbopackIgnore: true */ web + "/dist/next.mjs");`,
  ];
  if (path === "server/next/server.ts") return [...lines, "export const { server } = bundle;"].join("\n");
  const url = /^app(.*)\/route\.ts$/.exec(path)?.[1] || "/";
  const methods = "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS";
  return [...lines, `export const { ${methods} } = await bundle.loadRoute(${JSON.stringify(url)});`].join("\n");
}
