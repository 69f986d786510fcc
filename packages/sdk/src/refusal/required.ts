import { meets } from "@gatehouse/guard/routes";
import type { Session } from "../session/session.ts";
import type { Demand, Refusal } from "./refusal.ts";

/** What the session lacks of the demand; undefined if nothing. `now` in milliseconds. RFC 9470 §3. PK-38. */
export function lackingIn(session: Session, demand: Demand, now: number): Refusal | undefined {
  const scope = valuesOf(demand.scope);
  if (!scope.every((name) => session.scope.includes(name))) return { reason: "insufficient_scope", scope };
  const { maxAge } = demand;
  const acr = valuesOf(demand.acr);
  const isTooOld =
    maxAge !== undefined && Math.floor(now / 1000) - (session.authTime ?? Number.NEGATIVE_INFINITY) > maxAge;
  const isTooWeak =
    acr.length > 0 && !acr.some((value) => value === session.acr || meets(session.acr ?? undefined, value));
  return isTooOld || isTooWeak ? { reason: "sign_in_too_old", maxAge, acr } : undefined;
}

/** A list, or names separated by spaces. */
export function valuesOf(value: string | readonly string[] | undefined): readonly string[] {
  return typeof value === "string" ? value.split(" ").filter(Boolean) : (value ?? []);
}
