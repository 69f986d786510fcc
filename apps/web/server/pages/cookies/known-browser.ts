import { type ActiveSession, cookie, cookieName, cookiesOf, mintId, sha256, type User } from "@gatehouse/auth";
import { findUserByEmail } from "@gatehouse/db";
import type { OperationDeps } from "@gatehouse/operations";

// A browser that has signed in to an account has a sealed cookie for it. Its attempts are counted separately, so that password
// guessing from elsewhere cannot lock out the owner. AB-03.

const PURPOSE = "known browser";
const YEAR_SECONDS = 365 * 86_400;
/** The maximum number of accounts per browser, since request headers are limited in size. */
const MOST = 8;

type Known = [userId: string, signInEpoch: number, browserId: string, issuedAt: number];

const prefixOf = (deps: Pick<OperationDeps, "config">) => cookieName("known_", deps.config);
const nameOf = (userId: string, deps: Pick<OperationDeps, "config">) => `${prefixOf(deps)}${sha256(userId).slice(0, 12)}`;

/** `Set-Cookie` values for a browser in which `user` has just signed in. Beyond eight accounts the oldest is dropped. */
export function rememberBrowser(
  user: User,
  header: string | null,
  deps: Pick<OperationDeps, "config" | "seal" | "now" | "random">,
): string[] {
  const own = nameOf(user.id, deps);
  const others = knownCookies(header, deps).filter(([name]) => name !== own);
  const dropped = others.slice(0, Math.max(0, others.length - MOST + 1));
  const [, , browserId = mintId(deps.random)] = readKnown(header, deps).find(([userId]) => userId === user.id) ?? [];
  const known: Known = [user.id, user.signInEpoch, browserId, deps.now()];
  const sealed = deps.seal.seal(PURPOSE, JSON.stringify(known));
  return [cookie(own, sealed, deps.config, YEAR_SECONDS), ...dropped.map(([name]) => cookie(name, "", deps.config, 0))];
}

/**
 * Returns the id of the browser if it signed in to the account with this email address within a year and nothing has ended the
 * account's earlier sign-ins since; undefined otherwise, and when there is no such account.
 */
export async function knownBrowser(
  email: string,
  header: string | null,
  deps: Pick<OperationDeps, "config" | "seal" | "now" | "handle">,
): Promise<string | undefined> {
  const known = readKnown(header, deps);
  if (known.length === 0) return undefined;
  const user = await findUserByEmail(deps.handle, email);
  const found = known.find(([userId, signInEpoch]) => userId === user?.id && signInEpoch === user.signInEpoch);
  return found?.[2];
}

/** The browser of a signed-in user: its session, if the account does not know the browser. Strangers cannot use up its attempts. AB-03. */
export async function browserOfSession(
  { user, session }: ActiveSession,
  header: string | null,
  deps: Parameters<typeof knownBrowser>[2],
): Promise<string> {
  return (await knownBrowser(user.email, header, deps)) ?? `session ${session.id}`;
}

/** Has this browser signed in to the account within a year, and has nothing ended its sign-ins since? */
export function isKnownBrowser(user: User, header: string | null, deps: Pick<OperationDeps, "config" | "seal" | "now">): boolean {
  return readKnown(header, deps).some(([userId, epoch]) => userId === user.id && epoch === user.signInEpoch);
}

function readKnown(header: string | null, deps: Pick<OperationDeps, "config" | "seal" | "now">): Known[] {
  return knownCookies(header, deps).flatMap(([, sealed]) => {
    const opened = deps.seal.open(PURPOSE, sealed);
    if (opened === undefined) return [];
    const known: Known = JSON.parse(opened); // sealed by this server, so the shape is known
    return deps.now() < known[3] + YEAR_SECONDS ? [known] : [];
  });
}

/** In the order sent, which is oldest first (RFC 6265 §5.4). */
function knownCookies(header: string | null, deps: Pick<OperationDeps, "config">): [name: string, value: string][] {
  return cookiesOf(header)
    .filter(([name]) => name.startsWith(prefixOf(deps)))
    .slice(0, 2 * MOST);
}
