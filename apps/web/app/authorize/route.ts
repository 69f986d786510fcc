import { authorize, MAX_QUERY_LENGTH } from "@gatehouse/auth";
import { readForm } from "../../server/pages/form.ts";
import { proceed } from "../../server/pages/proceed.tsx";
import { seeOther } from "../../server/pages/respond.tsx";
import { route } from "../../server/routing/route.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route("/authorize", {
  GET: async ({ url, session, app, caller }) => proceed(await authorize(url.searchParams, session, app.deps, caller)),
  // From another site the session cookie stays behind; on the way through our own GET it is sent again (AZ-01).
  POST: async ({ request, app, caller }) => {
    const form = await readForm(request);
    const query = form.toString();
    // Too long for a URL: refused here, since on the way back it would not even arrive.
    return query.length > MAX_QUERY_LENGTH ? proceed(await authorize(form, undefined, app.deps, caller)) : seeOther(`/authorize?${query}`);
  },
});
