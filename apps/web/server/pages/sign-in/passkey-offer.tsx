/** @jsxImportSource preact */
import { type ActiveSession, cookie, cookieName, csrfToken, readCookie } from "@gatehouse/auth";
import { PasskeyOfferPage } from "../../../views/sign-in/passkey-offer.tsx";
import { type Continuation, continuationQuery } from "../../../views/sign-in/sign-in.tsx";
import type { Visit } from "../../routing/route.ts";
import { page } from "../responses/respond.tsx";
import type { CompleteSignIn } from "./begin-session.ts";
import { personOf, registrationCeremony } from "./passkeys.ts";

const PATH = "/sign-in/passkey-offer";
const COOKIE = "passkey_offer";
const MONTH_SECONDS = 30 * 86_400;

type Offered = { path: string; cookie: string };

/**
 * Where a browser goes after a password sign-in to be offered a passkey, at most once a month: only if its device can make one, as the script
 * of the sign-in page reported, and the account has none. WA-13.
 */
export async function passkeyOffer(
  userId: string,
  { factor, canMakePasskey = false }: CompleteSignIn,
  continuation: Continuation,
  visit: Visit,
): Promise<Offered | undefined> {
  const { request, app } = visit;
  const { deps } = app;
  if (factor.method !== "password" || !canMakePasskey || !deps.accounts.passkeys) return undefined;
  const name = cookieName(COOKIE, deps.config);
  if (readCookie(request.headers.get("cookie"), name) !== undefined) return undefined;
  if ((await deps.people.listPasskeys(userId)).length > 0) return undefined;
  return { path: PATH + continuationQuery(continuation), cookie: cookie(name, "1", deps.config, MONTH_SECONDS) };
}

/** The page of the offer. `problem`: why no passkey was added. */
export async function passkeyOfferPage(continuation: Continuation, visit: Visit<ActiveSession>, problem?: string): Promise<Response> {
  const { request, session, app, frame } = visit;
  const { token } = csrfToken(request.headers.get("cookie"), session, app.deps);
  const ceremony = await registrationCeremony(await personOf(visit), visit);
  const props = { frame, continuation, csrf: token, ceremony, problem };
  return page(PasskeyOfferPage(props), { status: problem === undefined ? 200 : 400, ceremony: true });
}
