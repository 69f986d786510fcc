import { upstreamSignOut } from "@gatehouse/accounts";
import { clearSessionCookie, endSession, restartPath } from "@gatehouse/auth";
import { page, seeOther } from "../../server/pages/responses/respond.ts";
import { continuationOf } from "../../server/pages/sign-in/continuation.ts";
import { route } from "../../server/routing/route.ts";
import { continuationQuery } from "../../views/continuation.ts";
import { AlsoSignOutPage } from "../../views/signed-out.tsx";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route("/sign-out", {
  POST: async ({ session, form, app, frame }) => {
    const continuation = continuationOf(form);
    // A request at the consent step is bound to the session that ends here, so "Not you?" starts it again.
    const restart = continuation.request && restartPath(continuation.request, app.deps);
    const onwards = restart ?? `/sign-in${continuationQuery(continuation)}`;
    // A cross-site form comes without the cookie, so without a session. It must not delete the cookie either.
    if (!session) return seeOther(onwards);
    await endSession(session, app.deps);
    const cookies = [clearSessionCookie(app.deps.config)];
    const { upstream } = session.session;
    const provider = upstream && restart === undefined ? await upstreamSignOut(upstream, app.deps) : undefined;
    if (!provider) return seeOther(onwards, { cookies });
    const again = { label: frame.texts.upstream.signInAgain, href: onwards };
    return page(AlsoSignOutPage({ frame, provider, onwards: again }), { cookies });
  },
});
