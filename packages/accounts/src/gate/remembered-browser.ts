import { type Hash, mintId, sha256, type User } from "@gatehouse/auth";
import type { AccountDeps } from "../deps.ts";
import { accountEvent, type EventSource } from "../events/account-event.ts";

/** How long a browser skips the second step. MF-08. */
export const REMEMBERED_SECONDS = 30 * 86_400;
const USER_AGENT_LENGTH = 256;

/** One secret of a browser serves all its accounts: each has a row of its own. */
const rowHash = (secret: string, userId: string): Hash => sha256(`remembered browser ${secret} ${userId}`);

const SECRET = /^[\w-]{43}$/;

/**
 * Remembers a browser for a user who has just taken the second step. Returns the secret for its cookie: `known`, if it
 * is one.
 */
export async function rememberBrowser(
  user: Pick<User, "id" | "signInEpoch">,
  known: string | undefined,
  source: EventSource,
  deps: Pick<AccountDeps, "people" | "now" | "random">,
): Promise<string> {
  const secret = known !== undefined && SECRET.test(known) ? known : Buffer.from(deps.random(32)).toString("base64url");
  const now = deps.now();
  const row = {
    hash: rowHash(secret, user.id),
    id: mintId(deps.random),
    userId: user.id,
    signInEpoch: user.signInEpoch,
    userAgent: source.userAgent?.slice(0, USER_AGENT_LENGTH) ?? null,
    address: source.address,
    createdAt: now,
    lastUsedAt: now,
    expiresAt: now + REMEMBERED_SECONDS,
  };
  await deps.people.rememberBrowser(row, {
    events: [accountEvent("browser_remembered", { userId: user.id, source }, deps)],
  });
  return secret;
}

/** Does this browser skip the second step of this user? */
export async function isRemembered(
  userId: string,
  secret: string | undefined,
  deps: Pick<AccountDeps, "people" | "now">,
): Promise<boolean> {
  if (secret === undefined || !SECRET.test(secret)) return false;
  return deps.people.useRememberedBrowser(userId, rowHash(secret, userId), deps.now());
}
