import {
  callbackUrl,
  fieldName,
  type NamedField,
  PRESET_IDS,
  PRESETS,
  type SignInProvider,
  secretPurpose,
} from "@gatehouse/accounts";
import type { OperationDeps } from "../deps.ts";
import type { ManagedView } from "../managed/managed-view.ts";

/** A provider as the console shows it: never with its secret. */
export type SignInProviderView = Omit<SignInProvider, "secret"> & {
  secret: "set" | "none" | "unreadable";
  callbackUrl: string;
  /** How many have connected it, at most 1,000; `moreUsers`: there are others. */
  users: number;
  moreUsers: boolean;
  managed: ManagedView | null;
  /** A test of a sign-in worked since the settings were last changed. */
  tested: boolean;
};

export function providerView(
  { secret, ...provider }: SignInProvider,
  { users, more, managed, tested }: { users: number; more: boolean; managed: ManagedView | null; tested: boolean },
  { seal, config }: Pick<OperationDeps, "seal" | "config">,
): SignInProviderView {
  return {
    ...provider,
    secret: secretState(provider.id, secret, seal),
    callbackUrl: callbackUrl(provider.id, config),
    users,
    moreUsers: more,
    managed,
    tested,
  };
}

function secretState(id: string, secret: string | null, seal: OperationDeps["seal"]): SignInProviderView["secret"] {
  if (secret === null) return "none";
  return seal.open(secretPurpose(id), secret) === undefined ? "unreadable" : "set";
}

/** Every kind of provider that can be added, with the steps at the provider. */
export function listSignInPresets() {
  return PRESET_IDS.map((preset) => {
    const {
      name,
      docsUrl,
      steps,
      fields,
      issuerRequired = false,
      secret,
      secretOptional = false,
      scopes,
    } = PRESETS[preset];
    const names = Object.fromEntries(NAMED.map((field) => [field, fieldName(field, PRESETS[preset])]));
    const secretRequired = !secretOptional;
    return { preset, name, docsUrl, steps, fields, names, issuerRequired, secret, secretRequired, scopes };
  });
}

const NAMED: readonly NamedField[] = ["issuer", "clientId", "secret", "tenants", "teamId", "keyId"];
