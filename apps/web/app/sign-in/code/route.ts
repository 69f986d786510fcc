import { normaliseEmail, openSignInLink, redeemSignInCode, redeemSignInLink, requestSignInCode } from "@gatehouse/accounts";
import { accountRequest, brandedAccountRequest } from "../../../server/pages/account/request.ts";
import { knownBrowser } from "../../../server/pages/cookies/known-browser.ts";
import { mailedLinkSecret, refuseOtherLink, takeMailedLink } from "../../../server/pages/cookies/mailed-link.ts";
import { notFound, seeOther } from "../../../server/pages/responses/respond.tsx";
import { afterEmailCode, type CodeFlow, codePage, linkPage, unusableLink } from "../../../server/pages/sign-in/code.tsx";
import { countSignIn } from "../../../server/pages/sign-in/count-sign-in.ts";
import { toProviderOfDomain } from "../../../server/pages/sign-in/provider/domain.ts";
import { browserOf, continuationOf, keepsSignedIn, signInPage } from "../../../server/pages/sign-in/sign-in.tsx";
import { route, type Visit } from "../../../server/routing/route.ts";
import { keepField } from "../../../views/sign-in/sign-in.tsx";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route("/sign-in/code", { GET: show, POST: act });

const flowOf = (fields: URLSearchParams): CodeFlow => ({ continuation: continuationOf(fields), keep: keepsSignedIn(fields) });

function show(visit: Visit): Response | Promise<Response> {
  if (!visit.app.deps.accounts.emailSignIn) return notFound(visit);
  const { searchParams } = visit.url;
  const email = searchParams.get("email");
  return takeMailedLink(visit) ?? (email === null ? linkPage(visit) : codePage(visit, email, flowOf(searchParams)));
}

function act(visit: Visit): Response | Promise<Response> {
  if (!visit.app.deps.accounts.emailSignIn) return notFound(visit);
  const action = visit.form.get("action");
  if (action === "send") return send(visit);
  return action === "link" ? useLink(visit) : check(visit);
}

/** Mails a code, or does as much for an address that nobody has. ML-01. */
async function send(visit: Visit): Promise<Response> {
  const flow = flowOf(visit.form);
  const typed = visit.form.get("email") ?? "";
  const email = normaliseEmail(typed);
  const browser = browserOf(visit).hash;
  if (email === undefined || browser === null) {
    return signInPage(visit, { continuation: flow.continuation, email: typed, problem: visit.texts.emailSignIn.enterEmail }, 400);
  }
  const elsewhere = await toProviderOfDomain({ email, continuation: flow.continuation, keep: flow.keep }, visit);
  if (elsewhere) return elsewhere;
  const { request, next } = flow.continuation;
  const browserId = await knownBrowser(email, visit.request.headers.get("cookie"), visit.app.deps);
  await requestSignInCode({ email, browser, browserId, continuation: flow }, await brandedAccountRequest(visit, request), visit.app.deps);
  const query = new URLSearchParams({ email, ...(request && { request }), ...(next && { next }), keep: keepField(flow.keep) });
  return seeOther(`/sign-in/code?${query}`);
}

async function check(visit: Visit): Promise<Response> {
  const flow = flowOf(visit.form);
  const typed = visit.form.get("email") ?? "";
  const email = normaliseEmail(typed) ?? "";
  const code = { email, code: visit.form.get("code") ?? "", browser: browserOf(visit).hash };
  const result = await redeemSignInCode(code, redeeming(visit), visit.app.deps);
  const response = await afterEmailCode(result, flow, visit);
  if (response) return response;
  countSignIn("failed", "email_code", flow.continuation, visit);
  return codePage(visit, typed, flow, visit.texts.emailSignIn.wrongCode);
}

/** Counts only with the cookie of the browser that asked for the mail: N56. */
async function useLink(visit: Visit): Promise<Response> {
  const refused = refuseOtherLink(visit);
  if (refused) return refused;
  const link = await openSignInLink(mailedLinkSecret(visit), browserOf(visit).hash, visit.app.deps);
  if (link.kind !== "usable") return unusableLink(link.kind, visit);
  const result = await redeemSignInLink(link.token, redeeming(visit), visit.app.deps);
  return (await afterEmailCode(result, undefined, visit)) ?? unusableLink("dead", visit);
}

const redeeming = (visit: Visit) => ({ ...accountRequest(visit), sessionUserId: visit.session?.user.id });
