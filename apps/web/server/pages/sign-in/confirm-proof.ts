import {
  judged,
  type MissingProofs,
  verifyPassword,
  verifyRecoveryCode,
  verifySecondCode,
  withFirst,
  withSecond,
} from "@gatehouse/accounts";
import type { ActiveSession, SessionRise } from "@gatehouse/auth";
import { subjectKey } from "@gatehouse/net";
import type { Visit } from "../../routing/route.ts";
import { sourceOf } from "../account/frame.ts";
import { browserOfSession } from "../cookies/known-browser.ts";
import { tooManyAttempts } from "../responses/too-many-attempts.tsx";
import { proveConfirmation } from "./passkeys.ts";

/** What the confirmation form proved, why it did not, or another response. */
export type Confirmed = { rise: SessionRise } | { problem: string } | { response: Response };

const PATH = "/sign-in/confirm";

/** Checks the form of /sign-in/confirm: a passkey, or what is missing of password and code. SN-03. */
export async function checkConfirmation({ first, second }: MissingProofs, visit: Visit<ActiveSession>): Promise<Confirmed> {
  if (visit.form.get("credential") !== null) return byPasskey(visit);
  const { session, app } = visit;
  const now = app.deps.now();
  const failed = first ? await checkPassword(visit) : undefined;
  if (failed) return failed;
  const known = session.session;
  const rise = first ? withFirst(known, { method: "password" }, now) : { acr: known.acr, amr: known.amr };
  if (second === null) return { rise };
  const code = await checkCode(second, visit);
  return "factor" in code ? { rise: { ...rise, ...withSecond(rise, code.factor, now) } } : code;
}

async function byPasskey(visit: Visit<ActiveSession>): Promise<Confirmed> {
  const proof = await proveConfirmation(visit);
  if (proof.kind === "refused") return { problem: visit.texts.secondStep.keyFailed };
  const now = visit.app.deps.now();
  const factor = { method: "passkey", credentialId: proof.passkey.credentialId } as const;
  return { rise: { ...withFirst(visit.session.session, factor, now), secondAt: now } };
}

async function checkPassword(visit: Visit<ActiveSession>): Promise<Confirmed | undefined> {
  const { form, app, caller, session, request } = visit;
  const { email, id } = session.user;
  const browserId = await browserOfSession(session, request.headers.get("cookie"), app.deps);
  const attempts = app.deps.limits.signIn(email, browserId, caller);
  const waitSeconds = await attempts.begin();
  if (waitSeconds > 0) return { response: await tooManyAttempts(waitSeconds, visit, PATH) };
  const typed = { email, password: form.get("password") ?? "", asker: subjectKey("account", id) };
  const user = await judged(attempts, verifyPassword(typed, app.deps));
  if (!user) return { problem: visit.texts.confirm.incorrect };
  await attempts.succeeded();
  return undefined;
}

async function checkCode(
  asked: NonNullable<MissingProofs["second"]>,
  visit: Visit<ActiveSession>,
): Promise<Confirmed | { factor: "totp" | "recovery_code" }> {
  const { form, app, session } = visit;
  const { limits } = app.deps;
  const bySession = limits.ticket(`session ${session.session.id}`);
  const byAccount = limits.secondFactor(session.user.id);
  const waitSeconds = (await bySession.begin()) || (await byAccount.begin());
  if (waitSeconds > 0) return { response: await tooManyAttempts(waitSeconds, visit, PATH) };
  const by = { source: sourceOf(visit), locale: visit.locale };
  const verify = asked === "recovery_code" ? verifyRecoveryCode : verifySecondCode;
  const code = await verify(session.user, form.get("code") ?? "", by, app.deps);
  if (!code) return { problem: visit.texts.confirm.incorrectCode };
  await Promise.all([bySession.succeeded(), byAccount.succeeded()]);
  return code;
}
