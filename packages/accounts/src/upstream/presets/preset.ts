import type { Deps } from "@gatehouse/auth";
import type { ClientAuth, ServerMetadata } from "openid-client";
import type { SignInProvider } from "../provider.ts";

/** What a provider said about its user. Everything in it is the provider's word. */
export type UpstreamProfile = {
  /** With `subject` the identity: it never changes for one person. UP-06. */
  issuer: string;
  subject: string;
  /** As sent; null if there is none. */
  email: string | null;
  /** Whether this provider's word is enough for the address. UP-07. */
  emailVerified: boolean;
  name: string | null;
};

/** A checked answer of the provider. */
export type UpstreamAnswer = {
  /** Of the ID token, and of the userinfo endpoint where {@link Preset.readsUserInfo}; empty without OpenID Connect. */
  claims: Readonly<Record<string, unknown>>;
  /** The parameters of the callback. */
  callback: URLSearchParams;
  /**
   * Requests a JSON document of the provider with the user's access token. Throws `UpstreamError`: `exchange_refused`
   * if the token does not allow it.
   */
  get: (url: string) => Promise<unknown>;
};

/** A field of the form that sets up a provider. */
export type PresetField = "issuer" | "tenants" | "teamId" | "keyId" | "trustEmail";
/** A value that the form asks for, and that has a name on the provider's own pages. */
export type NamedField = Exclude<PresetField, "trustEmail"> | "clientId" | "secret";

/** Everything that differs between kinds of providers. Adding one is one file and its line in `index.ts`. */
export type Preset = {
  name: string;
  /** Of the provider's own instructions. */
  docsUrl: string;
  /** What to do at the provider, one sentence each. `{callback}` stands for the callback URL. */
  steps: readonly string[];
  /** What the form asks for besides client id and secret. */
  fields: readonly PresetField[];
  /** How the provider's own pages call a value, where that differs from {@link fieldName}'s default. */
  names?: Partial<Record<NamedField, string>>;
  /** How they call the list of callback URLs. */
  callbackName: string;
  /** There is no provider without an issuer of its own. */
  issuerRequired?: boolean;
  /** The client may be public. */
  secretOptional?: boolean;
  /** What kind of secret it is. */
  secret: "Client secret" | "Private key";
  scopes: readonly string[];
  /** Providers of this kind may leave address and name to the userinfo endpoint. */
  readsUserInfo?: boolean;
  /** The answer comes as a cross-site POST. */
  formPost?: boolean;
  /** Where the provider's metadata is found, or its issuer where there is no metadata. */
  issuerOf(provider: SignInProvider): string;
  /** The endpoints of a provider without OpenID Connect discovery. */
  metadataOf?(provider: SignInProvider): ServerMetadata;
  /** Authenticates the client; default by its secret. `secret` is clear text. */
  authenticate?(provider: SignInProvider, secret: string, deps: Pick<Deps, "now">): ClientAuth;
  /** Further parameters of the authorization request. */
  parametersOf?(provider: SignInProvider): Readonly<Record<string, string>>;
  /** Reads the user from the answer. Throws `UpstreamError` for a user who cannot sign in here. */
  profileOf(answer: UpstreamAnswer, provider: SignInProvider): UpstreamProfile | Promise<UpstreamProfile>;
};

/** What a value is called in the form and in errors: as on the provider's own pages, where it is copied from. */
export function fieldName(field: NamedField, { names, secret }: Pick<Preset, "names" | "secret">): string {
  const usual = {
    issuer: "Issuer",
    clientId: "Client ID",
    secret,
    tenants: "Tenant IDs",
    teamId: "Team ID",
    keyId: "Key ID",
  };
  return names?.[field] ?? usual[field];
}

/** A claim that is text and not empty; otherwise null. */
export function textClaim(claims: UpstreamAnswer["claims"], name: string): string | null {
  const value = claims[name];
  return typeof value === "string" && value !== "" ? value : null;
}

/** Issuer, subject, address and name from the standard claims of an ID token. OpenID Connect Core §5.1. */
export function standardProfile(claims: UpstreamAnswer["claims"], emailVerified: boolean): UpstreamProfile {
  return {
    issuer: textClaim(claims, "iss") ?? "",
    subject: textClaim(claims, "sub") ?? "",
    email: textClaim(claims, "email"),
    emailVerified,
    name: textClaim(claims, "name"),
  };
}
