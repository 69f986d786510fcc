import { type ActiveSession, decideDeviceRequest, devicePath, findDeviceRequest } from "@gatehouse/auth";
import { DeviceCodePage, DeviceConfirmPage, DeviceDonePage } from "../../../views/device.tsx";
import type { Visit } from "../../routing/visit.ts";
import { authorizationResponse } from "../authorization/respond.tsx";
import { sessionCsrf } from "../forms/csrf.ts";
import { tooManyAttempts } from "../responses/errors.tsx";
import { page, seeOther } from "../responses/respond.ts";

/**
 * A link can carry the code. The page shows it for comparison; opening the link grants nothing (DF-09, DF-12). After
 * too many wrong links the code is only filled in, so that links cannot be used to guess codes, and nobody's links keep
 * the user from entering one (DF-05).
 */
export async function showDevice(visit: Visit<ActiveSession>): Promise<Response> {
  const userCode = visit.url.searchParams.get("user_code") ?? "";
  const attempts = visit.app.deviceAttempts.link(visit.session, visit.caller);
  if (userCode === "" || (await attempts.begin()) > 0) return page(DeviceCodePage({ ...formOf(visit), userCode }));
  const found = await confirmation(visit, userCode);
  if (!found) return tryAgain(visit, userCode);
  await attempts.succeeded();
  return found;
}

/** Looks up a code that was entered, or decides about it. DF-05. */
export async function submitDevice(visit: Visit<ActiveSession>): Promise<Response> {
  const { form, session, app } = visit;
  const userCode = form.get("user_code") ?? "";
  const decision = form.get("decision");
  if (decision !== "allow" && decision !== "deny") return limited(visit, () => confirmation(visit, userCode), userCode);
  return limited(visit, async () => {
    const decided = await decideDeviceRequest(
      { userCode, shown: form.get("shown") ?? "" },
      decision,
      session,
      app.deps,
    );
    switch (decided.kind) {
      case "gone":
        return undefined;
      case "changed":
        return seeOther(devicePath(userCode)); // the page as it is now
      case "approved":
      case "denied":
        return page(DeviceDonePage({ frame: visit.frame, outcome: decided.kind }));
      case "sign_in":
        return authorizationResponse(
          { ...decided, kind: "sign_in", loginHint: session.user.email, create: false, renews: true },
          visit.frame,
        );
      default:
        return authorizationResponse({ kind: decided.kind, request: decided.request }, visit.frame);
    }
  });
}

function tryAgain(visit: Visit<ActiveSession>, wrong: string): Response {
  return page(DeviceCodePage({ ...formOf(visit), userCode: wrong, problem: visit.texts.device.wrongCode }), {
    status: 400,
  });
}

async function confirmation(visit: Visit<ActiveSession>, userCode: string): Promise<Response | undefined> {
  const view = await findDeviceRequest(userCode, visit.session, visit.app.deps);
  return view && page(DeviceConfirmPage({ ...formOf(visit), view, now: visit.app.deps.now() }));
}

/**
 * Every lookup of a code that was entered passes here. Wrong codes are limited per session, account and address, and
 * more strictly while many guess (DF-05).
 */
async function limited(
  visit: Visit<ActiveSession>,
  look: () => Promise<Response | undefined>,
  typed = "",
): Promise<Response> {
  const { app, caller, session } = visit;
  const attempts = app.deviceAttempts.code(session, caller);
  const waitSeconds = await attempts.begin();
  if (waitSeconds > 0) return tooManyAttempts(waitSeconds, visit, "/device");
  const found = await look();
  if (!found) return tryAgain(visit, typed);
  await attempts.succeeded();
  return found;
}

function formOf(visit: Visit<ActiveSession>) {
  return { frame: visit.frame, csrf: sessionCsrf(visit), email: visit.session.user.email };
}
