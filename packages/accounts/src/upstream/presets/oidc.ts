import { UpstreamError } from "../upstream-error.ts";
import { type Preset, standardProfile } from "./preset.ts";

/** Any OpenID provider with discovery: Keycloak, Okta, Auth0, Zitadel and others. */
export const oidc: Preset = {
  name: "OpenID Connect",
  docsUrl: "https://openid.net/specs/openid-connect-discovery-1_0.html",
  steps: [
    "At the provider, register a confidential web application with the authorization code flow.",
    "Enter {callback} as redirect URI.",
    "Copy the issuer exactly as its /.well-known/openid-configuration spells it, the client ID and the client secret into this form.",
    "Switch on “Trust verified addresses” only if the provider itself verifies each address before it says email_verified.",
  ],
  fields: ["issuer", "trustEmail"],
  callbackName: "redirect URI",
  issuerRequired: true,
  secretOptional: true,
  secret: "Client secret",
  scopes: ["openid", "email", "profile"],
  readsUserInfo: true,
  issuerOf: ({ issuer }) => {
    if (issuer === null) throw new UpstreamError("misconfigured", "the issuer is missing");
    return issuer;
  },
  profileOf: ({ claims }, { settings: { trustEmail = false } }) =>
    standardProfile(claims, claims["email_verified"] === true && trustEmail),
};
