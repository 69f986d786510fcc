import { findMissingProofs, isConfirmed } from "@gatehouse/accounts";
import { type ActiveSession, csrfToken, localPath, raiseSession, sessionCookie } from "@gatehouse/auth";
import { notSignedIn, page } from "../../../server/pages/responses/respond.tsx";
import { goOn, waitingForm } from "../../../server/pages/sign-in/confirm.tsx";
import { checkConfirmation } from "../../../server/pages/sign-in/confirm-proof.ts";
import { confirmationCeremony } from "../../../server/pages/sign-in/passkeys.ts";
import { goToProviderSignedIn } from "../../../server/pages/sign-in/provider/departure.tsx";
import { route, type Visit } from "../../../server/routing/route.ts";
import { type Confirmation, ConfirmPage } from "../../../views/sign-in/confirm.tsx";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route("/sign-in/confirm", { GET: show, POST: confirm });

async function show(visit: Visit<ActiveSession>): Promise<Response> {
  const confirmation = confirmationOf(visit.url.searchParams);
  const missing = await missingOf(visit);
  return isConfirmed(missing) ? goOn(confirmation, visit.session, [], visit) : ask(visit, confirmation);
}

async function confirm(visit: Visit<ActiveSession>): Promise<Response> {
  const { app, session, request } = visit;
  const confirmation = confirmationOf(visit.form);
  const missing = await missingOf(visit);
  if (isConfirmed(missing)) return goOn(confirmation, session, [], visit);
  const provider = visit.form.get("provider");
  if (provider !== null && missing.first) return goToProviderSignedIn(provider, { purpose: "confirm", ...confirmation }, visit);
  const confirmed = await checkConfirmation(missing, visit);
  if ("response" in confirmed) return confirmed.response;
  if ("problem" in confirmed) return ask(visit, confirmation, confirmed.problem);
  const raised = await raiseSession(session, confirmed.rise, app.deps);
  if (!raised) return notSignedIn("signed_in", request, app.deps);
  return goOn(confirmation, raised, [sessionCookie(raised.secret, raised.session, app.deps.config)], visit);
}

const missingOf = ({ session, app: { deps } }: Visit<ActiveSession>) => findMissingProofs(session, deps);

async function ask(visit: Visit<ActiveSession>, confirmation: Confirmation, problem?: string): Promise<Response> {
  const { session, request, app, frame } = visit;
  const { token } = csrfToken(request.headers.get("cookie"), session, app.deps);
  const [missing, ceremony, has, waiting] = await Promise.all([
    missingOf(visit),
    confirmationCeremony(visit),
    app.deps.people.findResetFacts(session.user.id),
    waitingForm(confirmation, visit),
  ]);
  const providers = missing.first ? await providersOf(visit) : [];
  const facts = { ...has, missing, ceremony, providers, act: waiting?.act };
  const content = ConfirmPage({ ...confirmation, ...facts, frame, email: session.user.email, csrf: token, problem });
  return page(content, { status: problem === undefined ? 200 : 400, ceremony: ceremony !== undefined });
}

/** The enabled providers at which the user has an account. */
async function providersOf({ session, app: { deps } }: Visit<ActiveSession>) {
  const [providers, identities] = await Promise.all([deps.people.listSignInProviders(), deps.people.listIdentities(session.user.id)]);
  return providers.filter(({ id, enabled }) => enabled && identities.some(({ provider }) => provider === id));
}

/** A `next` on another origin is dropped (SE-12). */
function confirmationOf(fields: URLSearchParams): Confirmation {
  return { next: localPath(fields.get("next")), form: fields.get("form") || undefined };
}
