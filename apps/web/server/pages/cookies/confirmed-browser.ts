import { cookie, cookieName, mintId, readCookie } from "@gatehouse/auth";
import type { OperationDeps } from "@gatehouse/operations";

// A browser in which somebody entered the code mailed to an account's address. For a while its passwords are judged and counted like those of a
// known browser. AB-03.

const COOKIE = "confirmed_browser";
const PURPOSE = "confirmed browser";
const LIFETIME_SECONDS = 30 * 60;

type Confirmed = [email: string, browserId: string, confirmedAt: number];

/** The `Set-Cookie` value of a browser that entered the code for `email`. */
export function confirmedBrowserCookie(email: string, deps: Pick<OperationDeps, "config" | "seal" | "now" | "random">): string {
  const confirmed: Confirmed = [email, mintId(deps.random), deps.now()];
  return cookie(cookieName(COOKIE, deps.config), deps.seal.seal(PURPOSE, JSON.stringify(confirmed)), deps.config, LIFETIME_SECONDS);
}

/** The id of a browser that entered the code for `email` within half an hour; undefined for any other. */
export function confirmedBrowser(
  email: string,
  header: string | null,
  deps: Pick<OperationDeps, "config" | "seal" | "now">,
): string | undefined {
  const sealed = readCookie(header, cookieName(COOKIE, deps.config));
  const opened = sealed === undefined ? undefined : deps.seal.open(PURPOSE, sealed);
  if (opened === undefined) return undefined;
  const [confirmedEmail, browserId, confirmedAt]: Confirmed = JSON.parse(opened); // sealed by this server, so the shape is known
  return confirmedEmail === email && deps.now() < confirmedAt + LIFETIME_SECONDS ? browserId : undefined;
}
