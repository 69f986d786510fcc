import type { ActiveSession } from "@gatehouse/auth";
import { registerPasskey } from "../../../server/pages/account/security/passkeys.tsx";
import { requireFreshSignIn } from "../../../server/pages/sign-in/confirm.tsx";
import { continuationOf, continueTo } from "../../../server/pages/sign-in/continuation.ts";
import { passkeyOfferPage } from "../../../server/pages/sign-in/passkey-offer.ts";
import { route, type Visit } from "../../../server/routing/route.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route("/sign-in/passkey-offer", {
  GET: show,
  POST: answer,
});

async function show(visit: Visit<ActiveSession>): Promise<Response> {
  return (await requireFreshSignIn(visit)) ?? passkeyOfferPage(continuationOf(visit.url.searchParams), visit);
}

async function answer(visit: Visit<ActiveSession>): Promise<Response> {
  const continuation = continuationOf(visit.form);
  if (visit.form.get("action") === "skip") return continueTo(continuation, visit.session, [], visit);
  const confirmation = await requireFreshSignIn(visit);
  if (confirmation) return confirmation;
  const added = await registerPasskey(visit);
  if ("problem" in added) return passkeyOfferPage(continuation, visit, added.problem);
  return continueTo(continuation, added.session, added.cookies, visit);
}
