import type { ActiveSession } from "@gatehouse/auth";
import { accountFrame } from "../../../server/pages/account/frame.ts";
import { SECURITY_SECTIONS } from "../../../server/pages/account/security/sections/sections.ts";
import { page } from "../../../server/pages/responses/respond.ts";
import { route, type Visit } from "../../../server/routing/route.ts";
import { SecurityPage } from "../../../views/account/security/page.tsx";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route("/account/security", { GET: show });

async function show(visit: Visit<ActiveSession>): Promise<Response> {
  const { security, passkeys, secondStep, upstream } = visit.texts;
  const account = await accountFrame(visit, {
    ...security.notices,
    ...passkeys.notices,
    ...secondStep.notices,
    ...upstream.notices,
  });
  const sections = await Promise.all(SECURITY_SECTIONS.map((section) => section(visit, account.csrf)));
  return page(SecurityPage({ ...account, sections, script: visit.app.deps.accounts.passkeys !== null }));
}
