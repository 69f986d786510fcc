import { betterAuth } from "better-auth";
import { getMigrations } from "better-auth/db/migration";
import Database from "better-sqlite3";
import { encode } from "next-auth/jwt";

/** Its name is also the salt of its key. */
const NEXT_AUTH_COOKIE = "authjs.session-token";
const USER = { name: "Ada", email: "ada@example.com", password: "correct horse battery staple" };

/**
 * A session of next-auth with its tokens, as large as that of the SDK: a product that calls an API for its user keeps them
 * there.
 */
export async function nextAuthCookie(secret: string, bytes: number): Promise<string> {
  const sealed = (length: number) =>
    encode({
      secret,
      salt: NEXT_AUTH_COOKIE,
      maxAge: 24 * 3600,
      token: { sub: "ada", name: USER.name, email: USER.email, tokens: "x".repeat(length) },
    });
  const empty = (await sealed(0)).length;
  const fit = Math.floor(((bytes - NEXT_AUTH_COOKIE.length - 1 - empty) * 3) / 4); // base64url
  return `${NEXT_AUTH_COOKIE}=${await sealed(Math.max(0, fit))}`;
}

/** Creates the tables of better-auth. */
export async function migrate(file: string, secret: string): Promise<void> {
  const database = new Database(file);
  database.pragma("journal_mode = WAL");
  const auth = betterAuth({ database, secret, baseURL: "http://127.0.0.1", emailAndPassword: { enabled: true } });
  await (await getMigrations(auth.options)).runMigrations();
  // Left open: it looks at the tables once more, in the background.
}

/** Signs a user up in the product, which signs them in. */
export async function betterAuthCookie(appUrl: string): Promise<string> {
  const response = await fetch(`${appUrl}/better-auth/sign-up/email`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: appUrl },
    body: JSON.stringify(USER),
  });
  if (!response.ok) throw new Error(`better-auth signs nobody up: ${response.status} ${await response.text()}`);
  return response.headers
    .getSetCookie()
    .map((line) => line.split(";")[0])
    .join("; ");
}
