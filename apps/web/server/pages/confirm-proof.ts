import { judged, proofOfFirst, verifyPassword, verifySecondCode, withSecond } from "@gatehouse/accounts";
import { type ActiveSession, type SessionRise, strongerOf } from "@gatehouse/auth";
import type { Visit } from "../routing/route.ts";
import { sourceOf } from "./account-frame.ts";
import { browserOfSession } from "./known-browser.ts";
import { proveConfirmation } from "./passkeys.ts";
import { tooManyAttempts } from "./too-many.tsx";

/** What the confirmation form proved, why it did not, or another response. */
export type Confirmed = { rise: SessionRise } | { problem: string } | { response: Response };
type Missing = { first: boolean; second: boolean };

const PATH = "/sign-in/confirm";

/** Checks the form of /sign-in/confirm: a passkey, or what is missing of password and code. SN-03. */
export async function checkConfirmation(missing: Missing, visit: Visit<ActiveSession>): Promise<Confirmed> {
  if (visit.form.get("credential") !== null) return byPasskey(visit);
  const { session, app } = visit;
  const now = app.deps.now();
  if (missing.first) {
    const failed = await checkPassword(visit);
    if (failed) return failed;
  }
  if (missing.second) {
    const code = await checkCode(visit);
    if (!("factor" in code)) return code;
    return { rise: { ...(missing.first && { authTime: now }), ...withSecond(session.session, code.factor, now) } };
  }
  return { rise: { authTime: now } };
}

async function byPasskey(visit: Visit<ActiveSession>): Promise<Confirmed> {
  const proof = await proveConfirmation(visit);
  if (proof.kind === "refused") return { problem: visit.texts.secondStep.keyFailed };
  const { authTime, acr, amr, secondAt } = proofOfFirst(
    { method: "passkey", credentialId: proof.passkey.credentialId },
    visit.app.deps.now(),
  );
  const known = visit.session.session;
  return { rise: { authTime, secondAt, acr: strongerOf(known.acr, acr), amr: [...new Set([...known.amr, ...amr])] } };
}

async function checkPassword(visit: Visit<ActiveSession>): Promise<Confirmed | undefined> {
  const { form, app, caller, session, request } = visit;
  const { email } = session.user;
  const browserId = await browserOfSession(session, request.headers.get("cookie"), app.deps);
  const attempts = app.deps.limits.signIn(email, browserId, caller);
  const waitSeconds = await attempts.begin();
  if (waitSeconds > 0) return { response: await tooManyAttempts(waitSeconds, visit, PATH) };
  const user = await judged(attempts, verifyPassword({ email, password: form.get("password") ?? "" }, app.deps));
  if (!user) return { problem: visit.texts.confirm.incorrect };
  await attempts.succeeded();
  return undefined;
}

async function checkCode(visit: Visit<ActiveSession>): Promise<Confirmed | { factor: "totp" | "recovery_code" }> {
  const { form, app, session } = visit;
  const { limits } = app.deps;
  const bySession = limits.ticket(`session ${session.session.id}`);
  const byAccount = limits.secondFactor(session.user.id);
  const waitSeconds = (await bySession.begin()) || (await byAccount.begin());
  if (waitSeconds > 0) return { response: await tooManyAttempts(waitSeconds, visit, PATH) };
  const by = { source: sourceOf(visit), locale: visit.locale };
  const code = await verifySecondCode(session.user, form.get("code") ?? "", by, app.deps);
  if (!code) return { problem: visit.texts.confirm.incorrectCode };
  await Promise.all([bySession.succeeded(), byAccount.succeeded()]);
  return code;
}
