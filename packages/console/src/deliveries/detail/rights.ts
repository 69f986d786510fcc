import type { Environment, Role } from "@gatehouse/auth";
import { networkOf } from "@gatehouse/runtime";
import { DomainError } from "../../domain-error.ts";
import type { Actor } from "../../permissions.ts";
import { ABILITIES } from "../../permissions.ts";

/** What a person sees of a payload: everything · its shape, with every value masked · nothing. CO-02. */
export type PayloadView = "shown" | "masked" | "hidden";

/** Who sees payloads, and who can reveal masked ones. `scopes` are those of the caller's credential. */
export function payloadRights(
  { role }: Actor,
  environment: Environment,
  scopes: readonly string[],
): { view: PayloadView; reveal: boolean } {
  const can = ABILITIES[role];
  if (!can.manageDevelopment || !scopes.includes("webhooks:reveal")) return { view: "hidden", reveal: false };
  return environment === "production"
    ? { view: "masked", reveal: can.manageProduction }
    : { view: "shown", reveal: true };
}

/**
 * Whether a person may see the error and stack of a failed attempt: with the role and the scope for payloads, which
 * errors can quote.
 */
export function maySeeErrors({ role }: Actor, scopes: readonly string[]): boolean {
  return ABILITIES[role].manageDevelopment && scopes.includes("webhooks:reveal");
}

/** An address for people of this role: whole for admins, for others its /24 or /48. CO-02. */
export function addressFor({ role }: { role: Role }, address: string | null): string | null {
  if (address === null || role === "admin") return address;
  const network = networkOf(address, 3);
  if (network === undefined) return null;
  return network.includes(":") ? `${network.split(":").slice(0, 3).join(":")}::/48` : `${network}.0/24`;
}

/** Headers in which proxies pass on the caller's address. */
const ADDRESS_HEADER =
  /^(?:forwarded|via|.*(?:-ip|-ipv[46]|clientip|socketip|forwarded-for|client-host|remote-addr|-address))$/;

/** Headers for people of this role: without the caller's address unless they are an admin. */
export function headersFor(
  { role }: { role: Role },
  headers: Readonly<Record<string, string>>,
): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => role === "admin" || !ADDRESS_HEADER.test(name)));
}

/**
 * Throws `forbidden` unless this person may see whole payloads of this environment. The procedure has checked the
 * scope.
 */
export function assertMayReveal({ role }: Actor, environment: Environment): void {
  const can = ABILITIES[role];
  if (environment === "production" ? can.manageProduction : can.manageDevelopment) return;
  const who =
    environment === "production" ? "Only admins can see payloads of production." : "Your role cannot see payloads.";
  throw new DomainError("forbidden", `${who} Ask an admin.`);
}
