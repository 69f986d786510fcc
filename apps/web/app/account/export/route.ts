import type { ActiveSession } from "@gatehouse/auth";
import { exportAccount } from "@gatehouse/console/users/export-account";
import { accountRequest } from "../../../server/pages/account/request.ts";
import { sessionCsrf } from "../../../server/pages/forms/csrf.ts";
import { page } from "../../../server/pages/responses/respond.ts";
import { requireFreshSignIn } from "../../../server/pages/sign-in/confirm.tsx";
import { route, type Visit } from "../../../server/routing/route.ts";
import { ExportPage } from "../../../views/account/export.tsx";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route("/account/export", { GET: show, POST: download });

async function show(visit: Visit<ActiveSession>): Promise<Response> {
  return (await requireFreshSignIn(visit)) ?? page(ExportPage({ frame: visit.frame, csrf: sessionCsrf(visit) }));
}

async function download(visit: Visit<ActiveSession>): Promise<Response> {
  const stale = await requireFreshSignIn(visit);
  if (stale) return stale;
  const data = await exportAccount(visit.session, accountRequest(visit), visit.app.deps);
  return new Response(`${JSON.stringify(data, undefined, 2)}\n`, {
    headers: {
      "Content-Type": "application/json",
      "Content-Disposition": 'attachment; filename="account.json"',
      "Cache-Control": "no-store",
    },
  });
}
