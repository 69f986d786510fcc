import { randomUUID } from "node:crypto";
import { GatehouseError } from "../error.ts";
import { openBrowser } from "./browser.ts";
import { findForm, visibleText } from "./forms.ts";
import { loopbackUrl } from "./loopback.ts";

/** An account that a test can sign in to. */
export type TestUser = { email: string; password: string; name: string };

/**
 * Signs a new user up on the server's own page. What is left out is made up; two users never have the same address. A
 * server that somebody else started lets one caller sign up 30 times an hour; one of `startGatehouse` has no such end.
 *
 * @throws GatehouseError `configuration` for an issuer that is not http on loopback; `server_error` with what the page
 *   says if there is no account afterwards.
 */
export async function createUser({ issuer }: { issuer: string }, user: Partial<TestUser> = {}): Promise<TestUser> {
  const id = randomUUID();
  const created = { email: `${id}@example.com`, password: `test ${id}`, name: "Test user", ...user };
  const browser = openBrowser();
  const page = await browser.open(new URL("/sign-up", loopbackUrl(issuer)));
  const form = findForm(page.html, "name", "email", "password");
  if (!form) throw failed("has no sign-up form", page.html);
  const ended = await browser.submit(page, form, created);
  if (ended.status >= 400 || findForm(ended.html, "name", "email", "password"))
    throw failed("refused the sign-up", ended.html);
  return created;
}

const failed = (what: string, html: string) =>
  new GatehouseError("server_error", `The server ${what}: ${visibleText(html)}`);
