import { GatehouseError } from "../error.ts";
import { openBrowser, type Page } from "./browser.ts";
import type { StoredCookie } from "./cookies.ts";
import type { TestUser } from "./create-user.ts";
import { findForm, visibleText } from "./forms.ts";
import { loopbackUrl } from "./loopback.ts";

/** The product under test. */
export type TestApp = {
  /** Where it runs, such as `http://localhost:3000`. */
  url: string;
  /** Where its handlers are. Default `/auth`. */
  path?: string;
};

/** What Playwright's `storageState` and `test.use({ storageState })` take. */
export type StorageState = { cookies: StoredCookie[]; origins: [] };

export type SignInOptions<As extends "storageState" | "headers"> = { as?: As };
/** `headers`: the cookies as a request to the product has them. */
export type SignedIn<As extends "storageState" | "headers"> = As extends "headers" ? Headers : StorageState;

/**
 * Signs a user in to a product as a browser does: from the product's sign-in handler over the forms of the server, with
 * consent if the server asks for it, back to the product. Nothing is forged, so it fails where people fail.
 *
 * @throws GatehouseError `configuration` if product or server is not http on loopback; `server_error` with what the last
 *   page says if nobody is signed in at the end; `unavailable` if one of them does not answer.
 */
export async function signIn<As extends "storageState" | "headers" = "storageState">(
  { url, path = "/auth" }: TestApp,
  { email, password }: Pick<TestUser, "email" | "password">,
  { as }: SignInOptions<As> = {},
): Promise<SignedIn<As>> {
  const app = loopbackUrl(url);
  const base = `${app.origin}${app.pathname.replace(/\/$/, "")}`;
  const browser = openBrowser();
  let page = await browser.open(`${base}${path}/sign-in`);
  const form = findForm(page.html, "email", "password");
  if (!form) throw endedAt(page);
  page = await browser.submit(page, form, { email, password });
  const consent = isOf(app, page) ? undefined : findForm(page.html, "decision");
  if (consent) page = await browser.submit(page, consent, { decision: "allow" });
  if (!isOf(app, page) || page.status >= 400) throw endedAt(page);
  const result = as === "headers" ? new Headers({ cookie: browser.jar.headerFor(new URL(`${base}/`)) }) : undefined;
  return (result ?? { cookies: browser.jar.all(), origins: [] }) as SignedIn<As>;
}

const isOf = ({ origin }: URL, page: Page) => page.url.origin === origin;

function endedAt({ url, status, html }: Page): GatehouseError {
  const where = `${url.origin}${url.pathname}`;
  return new GatehouseError("server_error", `The sign-in ended at ${where} (${status}): ${visibleText(html)}`);
}
