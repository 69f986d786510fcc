import { type ActiveSession, csrfToken, decideDeviceRequest, findDeviceRequest } from "@gatehouse/auth";
import { page, seeOther } from "../../server/pages/respond.tsx";
import { tooManyAttempts } from "../../server/pages/too-many.tsx";
import { route, type Visit } from "../../server/routing/route.ts";
import { DeviceCodePage, DeviceConfirmPage, DeviceDonePage } from "../../views/device.tsx";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route("/device", { GET: open, POST: submit });

/**
 * A link can carry the code, which the page only fills in: any site can make a browser open links, so opening one grants nothing, and
 * neither judges a code nor counts as a guess (DF-05, DF-09, DF-12).
 */
function open(visit: Visit<ActiveSession>): Response {
  return page(DeviceCodePage({ ...formOf(visit), userCode: visit.url.searchParams.get("user_code") ?? undefined }));
}

async function submit(visit: Visit<ActiveSession>): Promise<Response> {
  const { form, session, app } = visit;
  const userCode = form.get("user_code") ?? "";
  const decision = form.get("decision");
  if (decision !== "allow" && decision !== "deny") return confirm(visit, userCode);
  return limited(visit, async () => {
    const outcome = await decideDeviceRequest(userCode, decision, session, app.deps);
    if (outcome === "unverified") return toVerification(userCode);
    return outcome === "gone" ? undefined : page(DeviceDonePage({ frame: visit.frame, outcome }));
  });
}

/** The client needs a verified address. The code goes along, so the user decides afterwards. RG-06. */
function toVerification(userCode: string): Response {
  const next = `/device?${new URLSearchParams({ user_code: userCode })}`;
  return seeOther(`/verify-email?${new URLSearchParams({ next })}`);
}

function tryAgain(visit: Visit<ActiveSession>, wrong: string): Response {
  return page(DeviceCodePage({ ...formOf(visit), userCode: wrong, problem: visit.texts.device.wrongCode }), { status: 400 });
}

function confirm(visit: Visit<ActiveSession>, userCode: string): Promise<Response> {
  return limited(
    visit,
    async () => {
      const view = await findDeviceRequest(userCode, visit.app.deps);
      return view && page(DeviceConfirmPage({ ...formOf(visit), view, now: visit.app.deps.now() }));
    },
    userCode,
  );
}

/** Every lookup of a code passes here. Wrong codes are limited per session, account and address, and more strictly while many guess (DF-05). */
async function limited(visit: Visit<ActiveSession>, look: () => Promise<Response | undefined>, typed = ""): Promise<Response> {
  const { app, caller, session } = visit;
  const attempts = app.deviceAttempts.code(session, caller);
  const waitSeconds = await attempts.begin();
  if (waitSeconds > 0) return tooManyAttempts(waitSeconds, visit, "/device");
  const found = await look();
  if (!found) return tryAgain(visit, typed);
  await attempts.succeeded();
  return found;
}

function formOf({ frame, request, session, app }: Visit<ActiveSession>) {
  return { frame, csrf: csrfToken(request.headers.get("cookie"), session, app.deps).token, email: session.user.email };
}
