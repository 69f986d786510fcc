/** @jsxImportSource preact */
import { findMissingProofs, isConfirmed, type KeptForm, keepForm, openKeptForm } from "@gatehouse/accounts";
import { type ActiveSession, csrfToken } from "@gatehouse/auth";
import type { ComponentChildren } from "preact";
import { type Confirmation, ConfirmedPage, confirmPath } from "../../../views/sign-in/confirm.tsx";
import type { Visit } from "../../routing/route.ts";
import { page, seeOther } from "../responses/respond.tsx";
import { describeAct } from "./waiting-form.tsx";

/**
 * Call before a sensitive change, and before the page with its form. Undefined if the user proved who they are within the last 10 minutes;
 * otherwise the redirect to /sign-in/confirm, which returns here with the form kept, if there are words for what it does. SN-03.
 */
export async function requireSudo(visit: Visit<ActiveSession>): Promise<Response | undefined> {
  const { session, url, request, form, app } = visit;
  if (await hasSudo(session, app)) return undefined;
  const path = url.pathname + url.search;
  const isKept = request.method === "POST" && (await describeAct(url.pathname, form, visit)) !== undefined;
  return seeOther(confirmPath({ next: path, form: isKept ? keepForm({ path, form, session }, app.deps) : undefined }));
}

/** Did the user prove who they are, with all that a sensitive change takes, within the last 10 minutes? SN-03. */
export async function hasSudo(active: ActiveSession, { deps }: Visit["app"]): Promise<boolean> {
  return isConfirmed(await findMissingProofs(active, deps));
}

/** A kept form, and what it does in words. */
type WaitingForm = KeptForm & { act: ComponentChildren };

/** The form that waits for the confirmation; undefined if there is none, or it is not of this session. SN-03. */
export async function waitingForm({ form }: Confirmation, visit: Visit<ActiveSession>): Promise<WaitingForm | undefined> {
  const kept = form === undefined ? undefined : openKeptForm(form, visit.session, visit.app.deps);
  if (!kept) return undefined;
  const { pathname } = new URL(kept.path, visit.url);
  const act = await describeAct(pathname, new URLSearchParams(kept.fields), visit);
  return act === undefined ? undefined : { ...kept, act };
}

/** After a confirmation: back to the page, or a button that sends the kept form. `session` is the current one, `cookies` set it. */
export async function goOn(
  confirmation: Confirmation,
  session: ActiveSession,
  cookies: readonly string[],
  visit: Visit<ActiveSession>,
): Promise<Response> {
  const waiting = await waitingForm(confirmation, visit);
  if (!waiting) return seeOther(confirmation.next ?? "/account", { cookies });
  const { token } = csrfToken(null, session, visit.app.deps);
  return page(<ConfirmedPage {...waiting} frame={visit.frame} csrf={token} />, { cookies });
}
