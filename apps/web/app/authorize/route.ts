import { authorize } from "@gatehouse/auth";
import { readForm } from "../../server/form.ts";
import { proceed } from "../../server/proceed.tsx";
import { seeOther } from "../../server/respond.tsx";
import { route } from "../../server/route.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route("/authorize", {
  GET: async ({ url, session, app, caller }) => proceed(await authorize(url.searchParams, session, app.deps, caller)),
  // From another site the session cookie stays behind; on the way through our own GET it is sent again (AZ-01).
  POST: async ({ request }) => seeOther(`/authorize?${await readForm(request)}`),
});
