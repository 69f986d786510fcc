import { UpstreamError } from "../upstream-error.ts";
import type { Preset } from "./preset.ts";

const GITHUB = "https://github.com";

/** GitHub and GitHub Enterprise Server: OAuth without ID tokens, so the user comes from the API. UP-11. */
export const github: Preset = {
  name: "GitHub",
  docsUrl: "https://docs.github.com/apps/oauth-apps/building-oauth-apps/creating-an-oauth-app",
  steps: [
    "On GitHub, open “Settings”, “Developer settings”, “OAuth Apps” of your account or organisation and choose “New OAuth app”.",
    "Enter {callback} as “Authorization callback URL”.",
    "Register the app, then choose “Generate a new client secret”.",
    "Copy the client ID and the client secret into this form.",
    "If you use a GitHub App instead, allow it under “Account permissions” to read “Email addresses”: without them nobody can register.",
  ],
  fields: ["issuer"],
  callbackName: "Authorization callback URL",
  secret: "Client secret",
  scopes: ["read:user", "user:email"],
  issuerOf: ({ issuer }) => loginOf(issuer),
  metadataOf: ({ issuer }) => ({
    issuer: loginOf(issuer),
    authorization_endpoint: `${loginOf(issuer)}/authorize`,
    token_endpoint: `${loginOf(issuer)}/access_token`,
    token_endpoint_auth_methods_supported: ["client_secret_post"],
    code_challenge_methods_supported: ["S256"],
  }),
  profileOf: async ({ get }, { issuer }) => {
    const api = apiOf(issuer);
    const [user, emails] = await Promise.all([get(`${api}/user`), get(`${api}/user/emails`).catch(noneIfRefused)]);
    const { id, name, login } = user as Record<string, unknown>;
    if (typeof id !== "number") throw new UpstreamError("answer_invalid", "the user has no numeric id");
    const email = primaryAddress(emails);
    const shown = [name, login].find((value) => typeof value === "string" && value !== "");
    return {
      issuer: loginOf(issuer),
      subject: String(id),
      email,
      emailVerified: email !== null,
      name: (shown as string | undefined) ?? null,
    };
  },
};

/**
 * A GitHub App without the permission “Email addresses” may read the user, not the addresses. Known users need none;
 * new ones learn that it is missing. UP-11.
 */
function noneIfRefused(thrown: unknown): [] {
  if (thrown instanceof UpstreamError && thrown.problem === "exchange_refused") return [];
  throw thrown;
}

/** UP-07: the profile's address is whatever the user typed; only this list says which one is primary and verified. */
function primaryAddress(emails: unknown): string | null {
  if (!Array.isArray(emails)) return null;
  const primary = emails.find((entry) => entry?.primary === true && entry.verified === true);
  return typeof primary?.email === "string" ? primary.email : null;
}

const hostOf = (issuer: string | null) => (issuer ?? GITHUB).replace(/\/$/, "");
const loginOf = (issuer: string | null) => `${hostOf(issuer)}/login/oauth`;
const apiOf = (issuer: string | null) =>
  hostOf(issuer) === GITHUB ? "https://api.github.com" : `${hostOf(issuer)}/api/v3`;
