import { type Preset, standardProfile, textClaim } from "./preset.ts";

const ISSUER = "https://accounts.google.com";

/** Google accounts and Workspace. */
export const google: Preset = {
  name: "Google",
  docsUrl: "https://developers.google.com/identity/openid-connect/openid-connect",
  steps: [
    "In the Google Cloud console, choose a project and open “Google Auth Platform”.",
    "Complete “Branding” and “Audience”: “Internal” admits your organisation only, “External” everybody.",
    "Under “Clients”, create a client of the type “Web application”.",
    "Add {callback} to “Authorized redirect URIs”.",
    "Copy the client ID and the client secret into this form.",
  ],
  fields: [],
  callbackName: "Authorized redirect URIs",
  secret: "Client secret",
  scopes: ["openid", "email", "profile"],
  issuerOf: () => ISSUER,
  // With one domain, Google offers only accounts of it. That is a convenience: the callback checks the domain itself.
  parametersOf: ({ settings: { domains = [] } }) => {
    const [domain] = domains;
    return domain !== undefined && domains.length === 1 ? { hd: domain } : {};
  },
  // UP-07: other addresses may have changed hands since Google verified them.
  profileOf: ({ claims }) => {
    const ofGoogle =
      textClaim(claims, "hd") !== null || textClaim(claims, "email")?.toLowerCase().endsWith("@gmail.com") === true;
    return standardProfile(claims, claims["email_verified"] === true && ofGoogle);
  },
};
