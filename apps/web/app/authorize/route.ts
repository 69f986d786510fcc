import { authorize, MAX_QUERY_LENGTH } from "@gatehouse/auth";
import { authorizationResponse } from "../../server/pages/authorization/respond.tsx";
import { readForm } from "../../server/pages/forms/form.ts";
import { seeOther } from "../../server/pages/responses/respond.ts";
import { route } from "../../server/routing/route.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route("/authorize", {
  GET: async ({ url, session, app, caller, frame }) =>
    authorizationResponse(await authorize(url.searchParams, session, app.deps, caller), frame),
  // A cross-site POST comes without the session cookie; the redirect to the GET sends it (AZ-01).
  POST: async ({ request, app, caller, frame }) => {
    const form = await readForm(request);
    const query = form.toString();
    // Too long for a URL, so it could not arrive at the GET.
    return query.length > MAX_QUERY_LENGTH
      ? authorizationResponse(await authorize(form, undefined, app.deps, caller), frame)
      : seeOther(`/authorize?${query}`);
  },
});
