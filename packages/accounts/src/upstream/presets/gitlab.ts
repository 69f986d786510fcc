import { oidc } from "./oidc.ts";
import type { Preset } from "./preset.ts";

const ISSUER = "https://gitlab.com";

/** GitLab.com and self-managed GitLab. */
export const gitlab: Preset = {
  ...oidc,
  name: "GitLab",
  docsUrl: "https://docs.gitlab.com/integration/openid_connect_provider/",
  steps: [
    "On GitLab, open “Applications” in your user, group or admin settings and add an application.",
    "Enter {callback} as “Redirect URI”, leave “Confidential” ticked and choose the scopes openid, profile and email.",
    "Copy the application ID and the secret into this form.",
    "For a self-managed GitLab, enter its URL as issuer.",
  ],
  names: { clientId: "Application ID", secret: "Secret" },
  callbackName: "Redirect URI",
  issuerRequired: false,
  secretOptional: false,
  issuerOf: ({ issuer }) => issuer ?? ISSUER,
};
