import type { Continuation } from "@gatehouse/accounts";
import type { ActiveSession } from "@gatehouse/auth";
import { continuationQuery } from "../../../views/continuation.ts";
import { PasskeyOfferPage } from "../../../views/sign-in/passkey-offer.tsx";
import type { Visit } from "../../routing/visit.ts";
import { accountOf } from "../account/request.ts";
import { sessionCsrf } from "../forms/csrf.ts";
import { registrationCeremony } from "../passkeys/ceremonies.ts";
import { page } from "../responses/respond.ts";

/** Where a browser goes after a password sign-in to be offered a passkey. WA-13. */
export const passkeyOfferPath = (continuation: Continuation) =>
  `/sign-in/passkey-offer${continuationQuery(continuation)}`;

/** The page of the offer. `problem`: why no passkey was added. */
export async function passkeyOfferPage(
  continuation: Continuation,
  visit: Visit<ActiveSession>,
  problem?: string,
): Promise<Response> {
  const ceremony = await registrationCeremony(await accountOf(visit), visit);
  const props = { frame: visit.frame, continuation, csrf: sessionCsrf(visit), ceremony, problem };
  return page(PasskeyOfferPage(props), { status: problem === undefined ? 200 : 400 });
}
