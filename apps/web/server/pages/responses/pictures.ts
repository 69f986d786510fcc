import { createHash } from "node:crypto";
import { matchesTag } from "@gatehouse/auth";

/**
 * A picture that somebody uploaded. A browser that opens its URL treats it as a page without rights and without an
 * origin. RG-09.
 */
export function picture({ type, bytes }: StoredPicture): Response {
  const headers = { ...PICTURE_HEADERS, "Content-Type": type, "Cache-Control": "public, max-age=86400, immutable" };
  return new Response(new Uint8Array(bytes), { headers });
}

/** The same, for its owner alone: the browser asks each time, so that it does not show the picture after a sign-out. */
export function ownPicture({ type, bytes }: StoredPicture, request: Request): Response {
  const tag = `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 22)}"`;
  const headers = { ...PICTURE_HEADERS, "Content-Type": type, "Cache-Control": "private, no-cache", ETag: tag };
  if (matchesTag(request.headers.get("if-none-match"), tag)) return new Response(null, { status: 304, headers });
  return new Response(new Uint8Array(bytes), { headers });
}

/** The same, for pages of other sites. Caches ask again after five minutes, since the user can remove it. */
export function publicPicture({ type, bytes }: StoredPicture): Response {
  const shared = { "Cross-Origin-Resource-Policy": "cross-origin", "Cache-Control": "public, max-age=300" };
  return new Response(new Uint8Array(bytes), { headers: { ...PICTURE_HEADERS, ...shared, "Content-Type": type } });
}

type StoredPicture = { type: string; bytes: Uint8Array };
const PICTURE_HEADERS = {
  "Content-Security-Policy": "default-src 'none'; sandbox",
  "Cross-Origin-Resource-Policy": "same-origin",
};
