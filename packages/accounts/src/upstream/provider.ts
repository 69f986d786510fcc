/** Every {@link PresetId}. */
export const PRESET_IDS = ["google", "microsoft", "github", "apple", "gitlab", "oidc"] as const;
/** The kind of a sign-in provider; `presets/index.ts` says what each one needs. */
export type PresetId = (typeof PRESET_IDS)[number];

/**
 * How an account that already has the address of an upstream user is connected: after one more sign-in, or at once.
 * UP-08.
 */
export type LinkPolicy = "ask" | "verified";

/**
 * How signing out continues at the provider: not at all, with the ID token, or with the client id where ID tokens are
 * refused. UP-12.
 */
export type UpstreamLogout = "off" | "id_token_hint" | "client_id";

/** What an administrator chooses for a provider. Members left out have the default of {@link settingsOf}. UP-01. */
export type ProviderSettings = {
  /** Instead of the preset's scopes. */
  scopes?: readonly string[];
  /** Addresses of these domains sign in here, and only these. ASCII, lower case, exact. UP-10. */
  domains?: readonly string[];
  /** Counts `email_verified` of this provider as a proof of the address. Only for `gitlab` and `oidc`. UP-07. */
  trustEmail?: boolean;
  link?: LinkPolicy;
  /** Whether a user without an account gets one. UP-09. */
  signUp?: boolean;
  /** Our level for each `acr` or `amr` value of the provider. UP-13. */
  trustAcr?: Readonly<Record<string, string>>;
  logout?: UpstreamLogout;
  /** Allows the provider's URLs to lead into a private network. */
  allowPrivateNetwork?: boolean;
  /** Microsoft: ids of the tenants whose users can sign in. */
  tenants?: readonly string[];
  /** Apple: the team, and the key that signs client secrets. */
  teamId?: string;
  keyId?: string;
  /** How the client secret is sent; default as the provider's metadata says. */
  clientAuthentication?: "client_secret_basic" | "client_secret_post";
};

/** A provider that users sign in with. */
export type SignInProvider = {
  /** Part of the callback URL: lower-case letters, digits and dashes. */
  id: string;
  preset: PresetId;
  /** On the button: "Continue with <name>". */
  name: string;
  /** Null: the preset's own. */
  issuer: string | null;
  clientId: string;
  /** The client secret, or Apple's private key, sealed for {@link secretPurpose}; null for a public client. */
  secret: string | null;
  settings: ProviderSettings;
  /** Buttons are in this order. */
  position: number;
  enabled: boolean;
  createdAt: number;
  updatedAt: number;
};

/** The settings with their defaults. */
export function settingsOf({ settings }: Pick<SignInProvider, "settings">) {
  const defaults = {
    domains: [],
    trustEmail: false,
    link: "ask",
    signUp: true,
    trustAcr: {},
    logout: "off",
    allowPrivateNetwork: false,
    tenants: [],
  } as const satisfies ProviderSettings;
  return { ...defaults, ...settings };
}

/** What a provider's secret is sealed for. */
export function secretPurpose(providerId: string): string {
  return `sign-in provider ${providerId}`;
}

/** Where the provider sends users back to: the redirect URI to register there. UP-02. */
export function callbackUrl(providerId: string, { issuer }: { issuer: string }): string {
  return `${issuer}/sign-in/with/${providerId}/callback`;
}
