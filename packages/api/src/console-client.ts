import { hkdfSync } from "node:crypto";

/** The admin console is an OAuth client of our own server, under this id. */
export const CONSOLE_CLIENT_ID = "gatehouse-console";
export const CONSOLE_APPLICATION_NAME = "Gatehouse Console";

/** The console's client secret: both servers derive it from GATEHOUSE_SECRET, so nobody has to copy it. */
export function consoleClientSecret(gatehouseSecret: string): string {
  const key = Buffer.from(hkdfSync("sha256", gatehouseSecret, "", "console client secret", 32));
  return `gcs_${key.toString("base64url")}`;
}

export function consoleRedirectUri(adminUrl: string): string {
  return `${adminUrl}/auth/callback`;
}
