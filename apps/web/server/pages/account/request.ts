import {
  type Account,
  type AccountRequest,
  type ActingBrowser,
  actingBrowser as browserOf,
  hasSameEpochs,
  type SignInRequest,
} from "@gatehouse/accounts";
import { type ActiveSession, OAuthError } from "@gatehouse/auth";
import type { Visit } from "../../routing/visit.ts";
import { signInBrowser } from "../cookies/sign-in.ts";
import { mailBrand } from "../frame/brand.ts";

/** What the rules of accounts know about this request. */
export function accountRequest({
  request,
  caller,
  locale,
}: Pick<Visit, "request" | "caller" | "locale">): AccountRequest {
  return { caller, userAgent: request.headers.get("user-agent"), locale };
}

/** The same for a request that mails something on the way to the app of `sealedRequest`. BD-01. */
export async function brandedAccountRequest(visit: Visit, sealedRequest: string | undefined): Promise<AccountRequest> {
  return { ...accountRequest(visit), brand: await mailBrand(sealedRequest, visit) };
}

/** The same for a sign-in, with what its browser brings. */
export function signInRequest(visit: Visit): SignInRequest {
  return { ...accountRequest(visit), browser: signInBrowser(visit), sessionUserId: visit.session?.user.id };
}

/** The browser of a request, for the record of what happened. */
export const sourceOf = (visit: Pick<Visit, "request" | "caller" | "locale">) => actingBrowser(visit).source;

/** Who acts, for events and mails. */
export const actingBrowser = (visit: Pick<Visit, "request" | "caller" | "locale">): ActingBrowser =>
  browserOf(accountRequest(visit));

/**
 * The account of the session. Throws if it was deleted, or the session's sign-in ended, a moment ago: a change would
 * outlive a reset. WE-03.
 */
export async function accountOf({ session, app }: Visit<ActiveSession>): Promise<Account> {
  const account = await app.deps.people.findAccount(session.user.id);
  if (account && hasSameEpochs(account, session.user)) return account;
  throw new OAuthError("invalid_request", "session_ended", "the session ended meanwhile, or its user is gone", {
    status: 401,
  });
}
