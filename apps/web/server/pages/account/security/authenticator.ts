import { addTotp, beginTotp, removeTotp, resumeTotp, withSecond } from "@gatehouse/accounts";
import type { ActiveSession } from "@gatehouse/auth";
import { AuthenticatorPage, RecoveryCodesPage } from "../../../../views/account/security/authenticator.tsx";
import type { Visit } from "../../../routing/visit.ts";
import { renewSession } from "../../cookies/session.ts";
import { tooManyAttempts } from "../../responses/errors.tsx";
import { page, seeOther } from "../../responses/respond.ts";
import { requireFreshSignIn } from "../../sign-in/confirm.tsx";
import { accountFrame } from "../frame.ts";
import { accountOf, actingBrowser } from "../request.ts";
import { refuseRemoval } from "./required-factor.tsx";

const PATH = "/account/security/authenticator";

/** The page that sets up an authenticator app. MF-03. */
export async function showAuthenticator(visit: Visit<ActiveSession>): Promise<Response> {
  return (await requireFreshSignIn(visit)) ?? setUp(visit);
}

/** Turns the app on or off. MF-03, MF-09. */
export async function submitAuthenticator(visit: Visit<ActiveSession>): Promise<Response> {
  const confirm = await requireFreshSignIn(visit);
  if (confirm) return confirm;
  return visit.form.get("action") === "remove" ? remove(visit) : add(visit);
}

/** The public id stays when the session gets a new secret. */
const setterOf = ({ user, session }: ActiveSession) => ({ ...user, actor: session.id });

async function setUp(visit: Visit<ActiveSession>, sealed?: string, problem?: string): Promise<Response> {
  const { session, app } = visit;
  const again =
    sealed === undefined
      ? undefined
      : resumeTotp(sealed, setterOf(session), app.settings.current.productName, app.deps);
  const setup = again ?? beginTotp(setterOf(session), app.settings.current.productName, app.deps);
  return page(AuthenticatorPage({ ...(await accountFrame(visit)), setup, problem }), {
    status: problem === undefined ? 200 : 400,
  });
}

async function add(visit: Visit<ActiveSession>): Promise<Response> {
  const { form, session, app, texts } = visit;
  const attempts = app.deps.limits.secondStep(`setup ${session.session.id}`);
  const waitSeconds = await attempts.begin();
  if (waitSeconds > 0) return tooManyAttempts(waitSeconds, visit, PATH);
  const sealed = form.get("setup") ?? "";
  const by = actingBrowser(visit);
  const added = await addTotp(setterOf(session), sealed, form.get("code") ?? "", by, app.deps);
  if (added.kind === "wrong_code") return setUp(visit, sealed, texts.secondStep.setUpIncorrect);
  if (added.kind === "expired") return setUp(visit, undefined, texts.secondStep.setUpExpired);
  await attempts.succeeded();
  const done = "/account/security?notice=totp_on";
  if (added.kind === "exists") return seeOther(done);
  if (added.kind === "stale") return seeOther("/account/security?notice=changed");
  // WE-02: this session gets a new secret; its user has just proved the new factor.
  const { cookies } = await renewSession(visit, withSecond(session.session, "totp", app.deps.now()));
  if (!added.codes) return seeOther(done, { cookies });
  return page(RecoveryCodesPage({ ...(await accountFrame(visit)), codes: added.codes, next: done }), { cookies });
}

async function remove(visit: Visit<ActiveSession>): Promise<Response> {
  const { session, app } = visit;
  const account = await accountOf(visit);
  const by = actingBrowser(visit);
  const outcome = await removeTotp(account, session.session.id, by, app.deps);
  if (outcome === "required") return refuseRemoval(visit);
  if (outcome === "changed") return seeOther("/account/security?notice=changed");
  return seeOther("/account/security?notice=totp_off", { cookies: (await renewSession(visit)).cookies });
}
