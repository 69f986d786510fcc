import { isKept, keepUntil, type Server } from "../process-state.ts";
import type { Payload } from "./payload.ts";

/** Longer than a request can be in flight, and than most access tokens live. */
const KEPT_MS = 900_000;

/** The server ended this session, as its answer to a renewal says. */
export function endSession({ id }: Pick<Payload, "id">, server: Server): void {
  mark(`ended ${id}`, server);
}

/** The user signed out in this browser: the session has ended, and requests in flight set no cookie. N83. */
export function closeSession({ id }: Pick<Payload, "id">, server: Server): void {
  mark(`ended ${id}`, server);
  mark(`outdated ${id}`, server);
}

/** Every session with this `sid` has ended, as a logout notice says; requests in flight set no cookie. PK-34. */
export function endSid(sid: string, server: Server): void {
  mark(`sid ${sid}`, server);
}

/**
 * The browser has signed in again. Requests in flight still pass, and set no cookie, which would replace the new
 * session.
 */
export function replaceSession({ id }: Pick<Payload, "id">, server: Server): void {
  mark(`outdated ${id}`, server);
}

/** Has it ended, as far as this process knows? */
export function hasEnded({ id, sid }: Pick<Payload, "id" | "sid">, server: Server): boolean {
  return isMarked(`ended ${id}`, server) || (sid !== null && isMarked(`sid ${sid}`, server));
}

/** Would a cookie of this session, or its deletion, undo what the browser has done since? */
export function isOutdated({ id, sid }: Pick<Payload, "id" | "sid">, server: Server): boolean {
  return isMarked(`outdated ${id}`, server) || (sid !== null && isMarked(`sid ${sid}`, server));
}

function mark(name: string, { state, settings }: Server): void {
  const now = settings.now();
  keepUntil(state.ended, name, now + KEPT_MS, now);
}

const isMarked = (name: string, { state, settings }: Server) => isKept(state.ended, name, settings.now());
