import type { AccountRequest } from "@gatehouse/accounts";
import { type ActiveSession, type Hash, sha256 } from "@gatehouse/auth";
import type { Visit } from "../../routing/route.ts";
import { mailBrand } from "../frame/frame.ts";

/** What the rules of accounts know about this request. */
export function accountRequest({ request, caller, locale }: Pick<Visit, "request" | "caller" | "locale">): AccountRequest {
  return { caller, userAgent: request.headers.get("user-agent"), locale };
}

/** The same for a request that mails something on the way to the app of `sealedRequest`. BD-01. */
export async function brandedAccountRequest(visit: Visit, sealedRequest: string | undefined): Promise<AccountRequest> {
  return { ...accountRequest(visit), brand: await mailBrand(sealedRequest, visit) };
}

/** What a code that a signed-in user asked for is bound to: the session, whose public id outlives a change of its secret. */
export function sessionBinding({ session }: ActiveSession): Hash {
  return sha256(`session ${session.id}`);
}
