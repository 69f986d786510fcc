import { PRESET_IDS, type ProviderSettings } from "@gatehouse/accounts";
import { z } from "zod";
import type { Problem } from "../../domain-error.ts";
import type { SignInProviderFile } from "../../sign-in-providers/configure.ts";
import { signInProviderDraft, signInProviderSettings } from "../../sign-in-providers/schemas.ts";
import { variableNameProblem } from "./variables.ts";

const draft = signInProviderDraft.shape;
const settings = signInProviderSettings.shape;

/**
 * Everything about the provider: what the file leaves out has its default. The secret comes from an environment
 * variable.
 */
export const signInProvider = z.strictObject({
  id: draft.id,
  preset: z.enum(PRESET_IDS),
  name: draft.name,
  issuer: draft.issuer,
  client_id: draft.clientId,
  /**
   * The name of the variable with the client secret, or with Apple's private key. Without it, the stored secret stays.
   */
  client_secret_env: z
    .string()
    .superRefine((name, context) => {
      const message = variableNameProblem(name);
      if (message !== undefined) context.addIssue({ code: "custom", message });
    })
    .optional(),
  position: draft.position,
  enabled: z.boolean().optional(),
  scopes: settings.scopes,
  domains: settings.domains,
  trust_email: settings.trustEmail,
  link: settings.link,
  sign_up: settings.signUp,
  trust_acr: settings.trustAcr,
  logout: settings.logout,
  allow_private_network: settings.allowPrivateNetwork,
  tenants: settings.tenants,
  team_id: settings.teamId,
  key_id: settings.keyId,
  client_authentication: settings.clientAuthentication,
});

export type ManifestProvider = z.output<typeof signInProvider>;

const COLUMNS = ["id", "preset", "name", "issuer", "client_id", "client_secret_env", "position", "enabled"];
const toCamelCase = (name: string) => name.replaceAll(/_([a-z])/g, (_, letter) => letter.toUpperCase());
const toSnakeCase = (path: string) =>
  path.replace(/^settings\./, "").replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** `variable`: the value of an environment variable; empty when it is not set. */
export function toProviderFile(wanted: ManifestProvider, variable: (name: string) => string): SignInProviderFile {
  const { id, preset, name, issuer, client_id: clientId, client_secret_env: from, position, enabled } = wanted;
  const given = Object.entries(wanted).filter(([member, value]) => !COLUMNS.includes(member) && value !== undefined);
  const chosen: ProviderSettings = Object.fromEntries(given.map(([member, value]) => [toCamelCase(member), value]));
  const secret = from === undefined ? undefined : variable(from);
  return { id, preset, name, issuer, clientId, settings: chosen, position, enabled, secret };
}

/** A named variable has to be set. */
export function secretProblems(
  { client_secret_env: from }: ManifestProvider,
  variable: (name: string) => string,
): Problem[] {
  if (from === undefined || variable(from) !== "") return [];
  return [{ path: "client_secret_env", message: `the environment variable ${from} is not set` }];
}

/** A problem with its path in the file. */
export function inFile({ path, message }: Problem): Problem {
  return { path: path === "secret" ? "client_secret_env" : toSnakeCase(path), message };
}
