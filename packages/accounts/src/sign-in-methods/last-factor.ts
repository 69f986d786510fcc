import { type Config, policyLevel, type Role } from "@gatehouse/auth";
import type { SignInMethods } from "../store/sign-in-methods.ts";

/** The second factor that a user is about to remove. `id`: of the credential. */
export type FactorRemoval = { kind: "totp" } | { kind: "passkey"; id: string };

/**
 * Whether `removed` is the last second factor of a user who must have one. Passkeys of another RP ID work no more, so
 * they do not count. MF-09.
 */
export function isLastRequiredFactor(
  removed: FactorRemoval,
  { totp, passkeys, securityKeys }: Pick<SignInMethods, "totp" | "passkeys" | "securityKeys">,
  role: Role,
  config: Pick<Config, "secondFactor">,
): boolean {
  if (policyLevel(role, config) === undefined) return false;
  const factors: FactorRemoval[] = [
    ...(totp ? [{ kind: "totp" } as const] : []),
    ...[...passkeys, ...securityKeys].map((id) => ({ kind: "passkey", id }) as const),
  ];
  const [only] = factors;
  return (
    factors.length === 1 &&
    only?.kind === removed.kind &&
    (only.kind === "totp" || removed.kind === "totp" || only.id === removed.id)
  );
}
