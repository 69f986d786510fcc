/** @jsxImportSource hono/jsx */
import { findMissingProofs, isConfirmed, keepForm, openKeptForm } from "@gatehouse/accounts";
import { type ActiveSession, csrfToken } from "@gatehouse/auth";
import { type Confirmation, ConfirmedPage, confirmPath } from "../../views/confirm.tsx";
import type { Visit } from "../routing/route.ts";
import { page, seeOther } from "./respond.tsx";

/**
 * Call before a sensitive change, and before the page with its form. Undefined if the user proved who they are within the last 10 minutes;
 * otherwise the redirect to /sign-in/confirm, which returns here with the form kept. SN-03.
 */
export async function requireSudo(visit: Visit<ActiveSession>): Promise<Response | undefined> {
  const { session, url, request, form, app } = visit;
  if (await hasSudo(session, app)) return undefined;
  const path = url.pathname + url.search;
  const kept = request.method === "POST" ? keepForm({ path, form, userId: session.user.id }, app.deps) : undefined;
  return seeOther(confirmPath({ next: path, form: kept }));
}

/** Did the user prove who they are, with all that a sensitive change takes, within the last 10 minutes? SN-03. */
export async function hasSudo(active: ActiveSession, { deps }: Visit["app"]): Promise<boolean> {
  return isConfirmed(await findMissingProofs(active, deps));
}

/** After a confirmation: back to the page, or a button that sends the kept form. `session` is the current one, `cookies` set it. */
export function goOn({ next, form }: Confirmation, session: ActiveSession, cookies: readonly string[], visit: Visit): Response {
  const kept = form === undefined ? undefined : openKeptForm(form, session.user.id, visit.app.deps);
  if (!kept) return seeOther(next ?? "/account", { cookies });
  const { token } = csrfToken(null, session, visit.app.deps);
  return page(<ConfirmedPage {...kept} frame={visit.frame} csrf={token} />, { cookies });
}
