import type { AccountSettings } from "../settings.ts";
import type { SignInMethods } from "../store/sign-in-methods.ts";

/** What a user is about to remove. `id`: of the credential, or of the identity. */
export type Removal = { kind: "password" } | { kind: "passkey" | "identity"; id: string };

/**
 * Whether `removed` is the only way to sign in to the account. Ways in are a password, passkeys with user verification,
 * identities of enabled providers, and mailed codes if sign-in by mail is on and the address is verified. WA-12.
 */
export function isLastSignInMethod(
  removed: Removal,
  ways: SignInMethods,
  settings: Pick<AccountSettings, "emailSignIn">,
): boolean {
  const all: Removal[] = [
    ...(ways.password ? [{ kind: "password" } as const] : []),
    ...ways.passkeys.map((id) => ({ kind: "passkey", id }) as const),
    ...ways.identities.map((id) => ({ kind: "identity", id }) as const),
  ];
  const mailedCode = settings.emailSignIn && ways.emailVerified;
  return !mailedCode && all.some((way) => isSame(way, removed)) && all.length === 1;
}

function isSame(one: Removal, other: Removal): boolean {
  return one.kind === other.kind && ("id" in one ? one.id : "") === ("id" in other ? other.id : "");
}
