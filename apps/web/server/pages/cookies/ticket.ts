import { isTicketOf, openTicket, type Person, sealTicket, TICKET_SECONDS, type Ticket } from "@gatehouse/accounts";
import { cookie, cookieName, readCookie, type User } from "@gatehouse/auth";
import type { Visit } from "../../routing/route.ts";
import { browserOf } from "./browser.ts";

const COOKIE = "ticket";

/** The cookie of a sign-in that waits for its second step. Undefined without the browser's own cookie, which every form sets. */
export function ticketCookie(
  user: User,
  draft: Pick<Ticket, "factor" | "step" | "keep" | "canMakePasskey">,
  visit: Visit,
): string | undefined {
  const { hash } = browserOf(visit);
  const { deps } = visit.app;
  if (hash === null) return undefined;
  return cookie(cookieName(COOKIE, deps.config), sealTicket({ ...draft, user, browser: hash }, deps), deps.config, TICKET_SECONDS);
}

export const noTicketCookie = ({ app: { deps } }: Visit) => cookie(cookieName(COOKIE, deps.config), "", deps.config, 0);

/** The ticket of this browser with its user; undefined if it is not live. */
export async function ticketOf(visit: Visit): Promise<{ ticket: Ticket; user: Person } | undefined> {
  const { deps } = visit.app;
  const sealed = readCookie(visit.request.headers.get("cookie"), cookieName(COOKIE, deps.config));
  const ticket = sealed === undefined ? undefined : openTicket(sealed, browserOf(visit).hash, deps);
  const user = ticket && (await deps.people.findPerson(ticket.userId));
  return ticket && user && isTicketOf(ticket, user) ? { ticket, user } : undefined;
}
