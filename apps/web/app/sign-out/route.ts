import { clearSessionCookie, endSession } from "@gatehouse/auth";
import { seeOther } from "../../server/respond.tsx";
import { route } from "../../server/route.ts";
import { continuationOf } from "../../server/signing-in.tsx";
import { continuationQuery } from "../../views/sign-in.tsx";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route("/sign-out", {
  POST: async ({ session, form, app }) => {
    if (session) await endSession(session, app.deps);
    return seeOther(`/sign-in${continuationQuery(continuationOf(form))}`, { cookies: [clearSessionCookie(app.deps.config)] });
  },
});
