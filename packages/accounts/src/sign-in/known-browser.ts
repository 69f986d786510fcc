import { type ActiveSession, type Deps, mintId, type User } from "@gatehouse/auth";
import type { AccountDeps } from "../deps.ts";
import type { SignInBrowser } from "./sign-in.ts";

// Attempts of a browser that the account knows are counted separately, so that password guessing from elsewhere cannot
// lock out the owner. A browser is known after a sign-in, and for a while after its user entered a code mailed to the
// account's address. AB-03.

/** For how long a sign-in makes a browser known. */
export const KNOWN_BROWSER_SECONDS = 365 * 86_400;
/** For how long a mailed code does. */
export const CONFIRMED_BROWSER_SECONDS = 30 * 60;

const KNOWN = "known browser";
const CONFIRMED = "confirmed browser";

type Known = [userId: string, signInEpoch: number, browserId: string, issuedAt: number];
type Confirmed = [email: string, browserId: string, confirmedAt: number];
type Values = Pick<SignInBrowser, "known">;
type OpenDeps = Pick<Deps, "seal" | "now">;
type Account = Pick<User, "id" | "signInEpoch">;

/** The value of a browser in which `user` has just signed in. The browser keeps its id. */
export function sealKnownBrowser(user: Account, browser: Values, deps: OpenDeps & Pick<Deps, "random">): string {
  const [, , browserId = mintId(deps.random)] = openKnown(browser, deps).find(([userId]) => userId === user.id) ?? [];
  const known: Known = [user.id, user.signInEpoch, browserId, deps.now()];
  return deps.seal.seal(KNOWN, JSON.stringify(known));
}

/**
 * The id of the browser if it signed in to the account with this email address within a year and nothing has ended the
 * account's earlier sign-ins since; undefined otherwise, and when there is no such account.
 */
export async function findKnownBrowser(
  email: string,
  browser: Values,
  deps: OpenDeps & Pick<AccountDeps, "people">,
): Promise<string | undefined> {
  const known = openKnown(browser, deps);
  if (known.length === 0) return undefined;
  const user = await deps.people.findAccountByEmail(email);
  const found = known.find(([userId, signInEpoch]) => userId === user?.id && signInEpoch === user.signInEpoch);
  return found?.[2];
}

/**
 * The id of a signed-in user's browser: its session, if the account does not know the browser. Strangers cannot use up
 * its attempts.
 */
export async function browserIdOfSession(
  { user, session }: ActiveSession,
  browser: Values,
  deps: OpenDeps & Pick<AccountDeps, "people">,
): Promise<string> {
  return (await findKnownBrowser(user.email, browser, deps)) ?? `session ${session.id}`;
}

/** Has this browser signed in to the account within a year, and has nothing ended its sign-ins since? */
export function isKnownBrowser(user: Account, browser: Values, deps: OpenDeps): boolean {
  return openKnown(browser, deps).some(([userId, epoch]) => userId === user.id && epoch === user.signInEpoch);
}

function openKnown({ known: values }: Values, deps: OpenDeps): Known[] {
  return values.flatMap((sealed) => {
    const opened = deps.seal.open(KNOWN, sealed);
    if (opened === undefined) return [];
    const known: Known = JSON.parse(opened); // sealed by this server, so the shape is known
    return deps.now() < known[3] + KNOWN_BROWSER_SECONDS ? [known] : [];
  });
}

/** The value of a browser in which somebody entered the code mailed to `email`. */
export function sealConfirmedBrowser(email: string, deps: OpenDeps & Pick<Deps, "random">): string {
  const confirmed: Confirmed = [email, mintId(deps.random), deps.now()];
  return deps.seal.seal(CONFIRMED, JSON.stringify(confirmed));
}

/** The id of a browser that entered the code for `email` within half an hour; undefined for any other. */
export function openConfirmedBrowser(
  email: string,
  { confirmed: sealed }: Pick<SignInBrowser, "confirmed">,
  deps: OpenDeps,
): string | undefined {
  const opened = sealed === undefined ? undefined : deps.seal.open(CONFIRMED, sealed);
  if (opened === undefined) return undefined;
  // Sealed by this server, so the shape is known
  const [confirmedEmail, browserId, confirmedAt]: Confirmed = JSON.parse(opened);
  return confirmedEmail === email && deps.now() < confirmedAt + CONFIRMED_BROWSER_SECONDS ? browserId : undefined;
}
