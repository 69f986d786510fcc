import type { ClientSettings, ClientType, GrantType, Scope } from "@/trpc/types.ts";

type TypeDescription = {
  label: string;
  /** When to choose it, in one sentence. */
  hint: string;
  /** Uses redirect URIs. */
  redirects: boolean;
  /** Has a client secret. */
  confidential: boolean;
  /** The grant types to offer. */
  grants: readonly GrantType[];
  /** The grant types selected by default. */
  defaultGrants: readonly GrantType[];
};

const DEVICE = "urn:ietf:params:oauth:grant-type:device_code";
const EXCHANGE = "urn:ietf:params:oauth:grant-type:token-exchange";

/** The client types. */
export const CLIENT_TYPES: Record<ClientType, TypeDescription> = {
  web: {
    label: "Web server",
    hint: "Runs on your server and can keep a secret.",
    redirects: true,
    confidential: true,
    grants: ["authorization_code", "refresh_token", "client_credentials", DEVICE, EXCHANGE],
    defaultGrants: ["authorization_code", "refresh_token"],
  },
  browser: {
    label: "Single-page app",
    hint: "Runs in the browser. Uses PKCE instead of a secret.",
    redirects: true,
    confidential: false,
    grants: ["authorization_code", "refresh_token"],
    defaultGrants: ["authorization_code", "refresh_token"],
  },
  native: {
    label: "Desktop or mobile app",
    hint: "Installed on the user’s device. Uses PKCE instead of a secret, and can use loopback or custom-scheme redirect URIs.",
    redirects: true,
    confidential: false,
    grants: ["authorization_code", "refresh_token", DEVICE],
    defaultGrants: ["authorization_code", "refresh_token"],
  },
  service: {
    label: "Service",
    hint: "Calls APIs on its own behalf, without a user.",
    redirects: false,
    confidential: true,
    grants: ["client_credentials", EXCHANGE],
    defaultGrants: ["client_credentials"],
  },
  device: {
    label: "TV, console or command line",
    hint: "Has no browser. The user enters a code on another device.",
    redirects: false,
    confidential: false,
    grants: [DEVICE, "refresh_token"],
    defaultGrants: [DEVICE, "refresh_token"],
  },
};

export const clientTypes = Object.keys(CLIENT_TYPES) as ClientType[];

export const GRANTS: Record<GrantType, { label: string; hint: string }> = {
  authorization_code: { label: "Authorization code", hint: "The user signs in and gives consent, with PKCE." },
  refresh_token: { label: "Refresh token", hint: "Gets new access tokens without the user." },
  client_credentials: { label: "Client credentials", hint: "Gets tokens on its own behalf, without a user." },
  [DEVICE]: { label: "Device code", hint: "The user gives consent on another device." },
  [EXCHANGE]: { label: "Token exchange", hint: "Exchanges a user’s token for one with fewer permissions." },
};

/** The label of a grant type as the protocol names it. */
export const grantName = (grant: string): string =>
  Object.hasOwn(GRANTS, grant) ? GRANTS[grant as GrantType].label : grant;

/** Gatehouse has no claims for these scopes. They are offered only to a client that already has them. */
const UNUSED_SCOPES = ["address", "phone"];

/** The names of the scopes to offer in a client's form, including every scope that the client has. */
export function offeredScopes(
  all: readonly Scope[],
  type: ClientType,
  { firstParty, scopes }: ClientSettings,
): string[] {
  const offered = all.filter(({ name, kind }) => {
    if (kind === "api") return true;
    if (kind === "identity") return type !== "service" && !UNUSED_SCOPES.includes(name);
    return firstParty;
  });
  return [...new Set([...offered.map(({ name }) => name), ...scopes])];
}

/** Initial values of the form for a new client. */
export function defaultSettings(type: ClientType): ClientSettings {
  const { redirects, defaultGrants } = CLIENT_TYPES[type];
  return {
    redirectUris: redirects ? [""] : [],
    postLogoutRedirectUris: [],
    grantTypes: [...defaultGrants],
    scopes:
      redirects || type === "device" ? ["openid", "profile", "email", "offline_access", "api:read"] : ["api:read"],
    firstParty: false,
    resourceServer: false,
    refreshRetrySeconds: 30,
    options: {},
  };
}

/** The form's values without empty URI rows. */
export function withoutEmptyRows(settings: ClientSettings): ClientSettings {
  const filled = (rows: string[]) => rows.map((row) => row.trim()).filter((row) => row !== "");
  return {
    ...settings,
    redirectUris: filled(settings.redirectUris),
    postLogoutRedirectUris: filled(settings.postLogoutRedirectUris),
  };
}
