import type { ScopeName } from "@gatehouse/api/types";
import type { ClientSettings, ClientType, GrantType } from "@/trpc/types.ts";

type Kind = {
  label: string;
  /** For whom it is, in one sentence. */
  hint: string;
  /** Signs users in through a browser, so it has redirect URIs. */
  redirects: boolean;
  /** Holds a secret. */
  confidential: boolean;
  /** The grants that make sense for it, the usual ones first. */
  grants: readonly GrantType[];
  /** Those that are chosen to begin with. */
  usual: readonly GrantType[];
};

const DEVICE = "urn:ietf:params:oauth:grant-type:device_code";
const EXCHANGE = "urn:ietf:params:oauth:grant-type:token-exchange";

/** What the types of client are, in the words of whoever registers one. */
export const KINDS: Record<ClientType, Kind> = {
  web: {
    label: "Web server",
    hint: "Runs on a server of yours and keeps a secret.",
    redirects: true,
    confidential: true,
    grants: ["authorization_code", "refresh_token", "client_credentials", DEVICE, EXCHANGE],
    usual: ["authorization_code", "refresh_token"],
  },
  browser: {
    label: "Single-page app",
    hint: "Runs in the user’s browser. No secret; PKCE protects it.",
    redirects: true,
    confidential: false,
    grants: ["authorization_code", "refresh_token"],
    usual: ["authorization_code", "refresh_token"],
  },
  native: {
    label: "Desktop or mobile app",
    hint: "Is installed by the user. No secret; loopback and app-scheme redirects are possible.",
    redirects: true,
    confidential: false,
    grants: ["authorization_code", "refresh_token", DEVICE],
    usual: ["authorization_code", "refresh_token"],
  },
  service: {
    label: "Service",
    hint: "A machine that acts for itself, without a user.",
    redirects: false,
    confidential: true,
    grants: ["client_credentials", EXCHANGE],
    usual: ["client_credentials"],
  },
  device: {
    label: "TV, console or command line",
    hint: "Cannot show a browser: the user enters a code on another device.",
    redirects: false,
    confidential: false,
    grants: [DEVICE, "refresh_token"],
    usual: [DEVICE, "refresh_token"],
  },
};

export const clientTypes = Object.keys(KINDS) as ClientType[];

export const GRANTS: Record<GrantType, { label: string; hint: string }> = {
  authorization_code: { label: "Authorization code", hint: "A user signs in and allows it, with PKCE." },
  refresh_token: { label: "Refresh token", hint: "Stays connected without asking the user again." },
  client_credentials: { label: "Client credentials", hint: "Acts for itself, without a user." },
  [DEVICE]: { label: "Device code", hint: "The user allows it on another device." },
  [EXCHANGE]: { label: "Token exchange", hint: "Trades a user’s token that it received for a lesser one of its own." },
};

export const SCOPES: Record<ScopeName, string> = {
  openid: "Confirm who the user is",
  profile: "See the user’s name",
  email: "See the user’s e-mail address",
  address: "See the user’s postal address",
  phone: "See the user’s phone number",
  offline_access: "Keep access while the user is away",
  "api:read": "Read through the API",
  "api:write": "Change through the API",
  "account:read": "See the user’s sessions and connected apps (first-party only)",
  "account:write": "End the user’s sessions and apps’ access (first-party only)",
  "console:read": "Look around in the console (first-party only)",
  "console:write": "Manage through the console (first-party only)",
};
/** Offered as checkboxes. */
export const commonScopes: readonly ScopeName[] = ["openid", "profile", "email", "offline_access", "api:read", "api:write"];
/** Those that mean something without a user. */
export const machineScopes: readonly ScopeName[] = ["api:read", "api:write"];
/** Offered to first-party clients alone. */
export const firstPartyScopes: readonly ScopeName[] = ["account:read", "account:write", "console:read", "console:write"];

/** What a form for a new client of this type begins with. */
export function freshSettings(type: ClientType): ClientSettings {
  const { redirects, usual } = KINDS[type];
  return {
    redirectUris: redirects ? [""] : [],
    postLogoutRedirectUris: [],
    grantTypes: [...usual],
    scopes: redirects || type === "device" ? ["openid", "profile", "email", "offline_access", "api:read"] : ["api:read"],
    firstParty: false,
    resourceServer: false,
    refreshRetrySeconds: 30,
  };
}

/** What the form holds, as it is sent: rows that were left empty are not meant. */
export function withoutEmptyRows(settings: ClientSettings): ClientSettings {
  const filled = (rows: string[]) => rows.map((row) => row.trim()).filter((row) => row !== "");
  return { ...settings, redirectUris: filled(settings.redirectUris), postLogoutRedirectUris: filled(settings.postLogoutRedirectUris) };
}
