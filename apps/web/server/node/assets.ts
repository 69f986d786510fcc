import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { extname, join } from "node:path";
import { REQUEST_ID_HEADER } from "./address.ts";

const TYPES: Record<string, string> = {
  ".css": "text/css; charset=UTF-8",
  ".js": "text/javascript; charset=UTF-8",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
};

type Asset = { body: Buffer; headers: Record<string, string> };
export type Assets = ReadonlyMap<string, Asset>;

/**
 * Reads the files that pages load into memory, by path: stylesheets, a script, an icon and two font files. Throws when
 * there was no build.
 */
export function loadAssets(folder: string): Assets {
  if (!existsSync(folder)) throw new Error(`${folder} does not exist. Run npm run build first.`);
  return new Map(readdirSync(folder).map((name) => [`/assets/${name}`, loadAsset(join(folder, name))]));
}

function loadAsset(file: string): Asset {
  const body = readFileSync(file);
  const extension = extname(file);
  const headers = {
    "Content-Type": TYPES[extension] ?? "application/octet-stream",
    "Cache-Control": extension === ".woff2" ? "public, max-age=31536000, immutable" : "public, max-age=0",
    ETag: `"${createHash("sha256").update(body).digest("base64url").slice(0, 22)}"`,
  };
  return { body, headers };
}

/** Responds to GET and HEAD with the file, or with 304 if the caller has it cached. */
export function sendAsset(
  { body, headers }: Asset,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  everywhere: Record<string, string>,
) {
  const all = { ...headers, ...everywhere, "X-Request-Id": incoming.headers[REQUEST_ID_HEADER] };
  if (incoming.method !== "GET" && incoming.method !== "HEAD")
    return outgoing.writeHead(405, { ...all, Allow: "GET, HEAD" }).end();
  if (incoming.headers["if-none-match"] === headers["ETag"]) return outgoing.writeHead(304, all).end();
  return outgoing
    .writeHead(200, { ...all, "Content-Length": body.length })
    .end(incoming.method === "HEAD" ? undefined : body);
}
