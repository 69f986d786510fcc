import { hkdfSync } from "node:crypto";

/** The console's client secret. The console's start command derives the same value, so nobody has to copy it. */
export function consoleClientSecret(gatehouseSecret: string): string {
  return `gcs_${derive(gatehouseSecret, "console client secret")}`;
}

/** The key of the console's cookies. The server does not use it. */
export function consoleCookieKey(gatehouseSecret: string): string {
  return derive(gatehouseSecret, "console cookie");
}

function derive(gatehouseSecret: string, purpose: string): string {
  return Buffer.from(hkdfSync("sha256", gatehouseSecret, "", purpose, 32)).toString("base64url");
}

/** Where the console shows what an id names: an error, delivery, event, user or client. CO-04. */
export function consoleLink(adminUrl: string, id: string): string {
  return `${adminUrl}/go/${encodeURIComponent(id)}`;
}

export function consoleRedirectUri(adminUrl: string): string {
  return `${adminUrl}/auth/callback`;
}
