import type { Context } from "../context.ts";
import { SIGN_IN_SECONDS } from "../cookies/jar.ts";

/** A sign-in in progress: the browser is at the server and is expected back at the callback. Times in Unix seconds. */
export type PendingSignIn = {
  state: string;
  /** Null without the scope `openid`. */
  nonce: string | null;
  verifier: string;
  returnTo: string;
  at: number;
  /** A page required this sign-in of a user who was signed in. */
  isStepUp: boolean;
};

/** What one browser has of sign-ins. */
export type SignIns = { pending: PendingSignIn[]; completed: { at: number; isStepUp: boolean }[] };

const MAX_PENDING = 5;
/** So many sign-ins within so many seconds that did not help are a loop. */
const LOOP = { signIns: 3, seconds: 60 };

/** The sign-ins of this browser that have not expired. */
export async function readSignIns(headers: Headers, { jar, settings }: Context): Promise<SignIns> {
  const opened = (await jar.openSignIns(headers)) as Partial<SignIns> | undefined; // sealed by us
  const now = settings.now() / 1000;
  return {
    pending: (opened?.pending ?? []).filter(({ at }) => now - at < SIGN_IN_SECONDS),
    completed: (opened?.completed ?? []).filter(({ at }) => now - at < LOOP.seconds),
  };
}

/**
 * One `Set-Cookie` value for them. Tabs can sign in at once, but only the newest sign-ins are kept, as many as fit into
 * one cookie: otherwise the header would grow until servers reject it. PK-30, N99.
 */
export async function signInsCookie({ pending, completed }: SignIns, { jar }: Context): Promise<string> {
  for (let kept = pending.slice(-MAX_PENDING); kept.length + completed.length > 0; kept = kept.slice(1)) {
    const cookie = await jar.setSignIns({ pending: kept, completed: completed.slice(-LOOP.signIns) });
    if (cookie !== undefined) return cookie;
    if (kept.length === 0) break;
  }
  return jar.clearSignIns();
}

/** Has this browser completed several sign-ins just now, and still needs one? PK-30. */
export function isLoop({ completed }: SignIns, { isStepUp }: { isStepUp: boolean }): boolean {
  return completed.filter((one) => one.isStepUp === isStepUp).length >= LOOP.signIns;
}
