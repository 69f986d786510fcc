import type { ActiveSession } from "@gatehouse/auth";
import { ABILITIES } from "@gatehouse/console/permissions";

/** The console's address for those who may enter it: strangers need not learn where it is. CO-49. */
export function consoleLink(session: Pick<ActiveSession, "user"> | undefined, adminUrl: string): string | undefined {
  return session && ABILITIES[session.user.role].view ? adminUrl : undefined;
}
