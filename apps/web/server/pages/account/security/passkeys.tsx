/** @jsxImportSource preact */
import {
  finishPasskeyRegistration,
  readPasskeyName,
  removePasskey,
  renamePasskey,
  withSecond,
} from "@gatehouse/accounts";
import type { ActiveSession } from "@gatehouse/auth";
import { describeBrowser } from "@gatehouse/ui/browser";
import { AddPasskeyPage } from "../../../../views/account/security/add-passkey.tsx";
import { MessagePage } from "../../../../views/message.tsx";
import type { Visit } from "../../../routing/visit.ts";
import { type RenewedSession, renewSession } from "../../cookies/session.ts";
import { sessionCsrf } from "../../forms/csrf.ts";
import { postedRegistration, registrationCeremony } from "../../passkeys/ceremonies.ts";
import { page, seeOther } from "../../responses/respond.ts";
import { accountOf, actingBrowser } from "../request.ts";
import { refuseRemoval } from "./required-factor.tsx";

// What users do with their own passkeys. Each function answers one POST of /account/security/passkeys.

const SECURITY = "/account/security";

type Signed = Visit<ActiveSession>;

/** The page with the one button that makes a passkey. WA-03. */
export async function addPasskeyPage(visit: Signed, problem?: string): Promise<Response> {
  const { frame, app } = visit;
  const ceremony = await registrationCeremony(await accountOf(visit), visit);
  const status = problem === undefined ? 200 : 400;
  return page(
    <AddPasskeyPage
      frame={frame}
      csrf={sessionCsrf(visit)}
      ceremony={ceremony}
      off={app.deps.accounts.passkeys === null}
      problem={problem}
    />,
    { status },
  );
}

/** Stores the passkey that the browser made. */
export async function addPasskey(visit: Signed): Promise<Response> {
  const added = await registerPasskey(visit);
  if ("problem" in added) return addPasskeyPage(visit, added.problem);
  return seeOther(`${SECURITY}?notice=passkey_added`, { cookies: added.cookies });
}

/** Verifies and stores the passkey in the form, and gives the session a new secret. WE-02. */
export async function registerPasskey(visit: Signed): Promise<RenewedSession | { problem: string }> {
  const { app, frame, request } = visit;
  const texts = frame.texts.passkeys;
  const registration = postedRegistration(visit);
  if (registration.posted.credential === "") return { problem: texts.addEmpty };
  const fallbackName = describeBrowser(request.headers.get("user-agent"));
  const outcome = await finishPasskeyRegistration(
    { account: await accountOf(visit), fallbackName, ...registration },
    app.deps,
  );
  if (outcome.kind === "refused") return { problem: outcome.why === "taken" ? texts.addRegistered : texts.addFailed };
  // As with an authenticator app: its user has just proved the new factor.
  return renewSession(visit, withSecond(visit.session.session, "passkey", app.deps.now()));
}

/** Removes a passkey, unless it is the last way in or the last second factor where one is required. WA-12, MF-09. */
export async function removeOwnPasskey(visit: Signed): Promise<Response> {
  const { app, form, frame, session } = visit;
  const texts = frame.texts.passkeys;
  const removal = { credentialId: form.get("id") ?? "", sessionId: session.session.id, by: actingBrowser(visit) };
  const outcome = await removePasskey({ account: await accountOf(visit), ...removal }, app.deps);
  if (outcome === "removed")
    return seeOther(`${SECURITY}?notice=passkey_removed`, { cookies: (await renewSession(visit)).cookies });
  if (outcome === "gone") return seeOther(SECURITY);
  if (outcome === "required") return refuseRemoval(visit);
  const action = { label: texts.backToSecurity, href: SECURITY };
  const content = (
    <MessagePage frame={frame} title={texts.cannotRemove} action={action}>
      {texts.lastWayIn}
    </MessagePage>
  );
  return page(content, { status: 409 });
}

/** Renames a passkey. */
export async function renameOwnPasskey(visit: Signed): Promise<Response> {
  const { app, form, frame } = visit;
  const texts = frame.texts.passkeys;
  const name = readPasskeyName(form.get("name") ?? "");
  if (name === undefined) {
    const action = { label: texts.backToSecurity, href: SECURITY };
    return page(<MessagePage frame={frame} title={texts.rename} children={texts.badName} action={action} />, {
      status: 400,
    });
  }
  const renamed = {
    account: await accountOf(visit),
    credentialId: form.get("id") ?? "",
    name,
    by: actingBrowser(visit),
  };
  return seeOther((await renamePasskey(renamed, app.deps)) ? `${SECURITY}?notice=passkey_renamed` : SECURITY);
}
