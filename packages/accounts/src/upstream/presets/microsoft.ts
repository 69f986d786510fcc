import type { SignInProvider } from "../provider.ts";
import { UpstreamError } from "../upstream-error.ts";
import { type Preset, standardProfile, textClaim } from "./preset.ts";

/** The tenant of personal accounts (outlook.com and the like). */
const PERSONAL_TENANT = "9188040d-6c67-4c5b-b112-36a304b66dad";
const TRUE_VALUES: readonly unknown[] = [true, 1, "1", "true"];

/** Work and school accounts of Entra ID, and personal accounts if their tenant is listed. */
export const microsoft: Preset = {
  name: "Microsoft",
  docsUrl: "https://learn.microsoft.com/entra/identity-platform/quickstart-register-app",
  steps: [
    "In the Microsoft Entra admin center, open “App registrations” and create a registration.",
    "Under “Redirect URI”, choose “Web” and enter {callback}.",
    "Copy “Application (client) ID” and “Directory (tenant) ID” from the overview into this form.",
    "Under “Certificates & secrets”, create a client secret and copy its value (not its ID). Note when it expires.",
    "Under “Token configuration”, add the optional claims “email” and “xms_edov” to the ID token: without “xms_edov” no address counts as verified.",
  ],
  fields: ["tenants"],
  names: {
    clientId: "Application (client) ID",
    secret: "Client secret value",
    tenants: "Directory (tenant) ID",
  },
  callbackName: "Redirect URIs",
  secret: "Client secret",
  scopes: ["openid", "email", "profile"],
  issuerOf: (provider) => `https://login.microsoftonline.com/${authorityOf(provider)}/v2.0`,
  profileOf: ({ claims }, { settings: { tenants = [] } }) => {
    const tenant = textClaim(claims, "tid");
    const object = textClaim(claims, "oid");
    if (object === null) throw new UpstreamError("answer_invalid", "the ID token has no oid");
    if (tenant === null || !tenants.includes(tenant))
      throw new UpstreamError("tenant_unknown", `the user's tenant ${shortTenant(tenant)} is not listed`);
    // UP-06: `sub` differs from app to app; `oid` is the person in the tenant, which the issuer names.
    return { ...standardProfile(claims, TRUE_VALUES.includes(claims["xms_edov"])), subject: object };
  },
};

const shortTenant = (tenant: string | null) => (tenant ?? "?").slice(0, 36).replace(/[^0-9a-f-]/g, "?");

function authorityOf({ settings: { tenants = [] } }: SignInProvider): string {
  const [only] = tenants;
  if (only === undefined) throw new UpstreamError("misconfigured", "no tenant is listed");
  if (tenants.length === 1) return only;
  return tenants.includes(PERSONAL_TENANT) ? "common" : "organizations";
}
