import type { Client } from "./clients/client.ts";
import type { OAuthError } from "./errors/error.ts";
import type { RefusalDetail } from "./errors/refusal.ts";
import type { Store } from "./store/store.ts";
import type { Usage } from "./usage.ts";

/** Where a request leaves traces: the database, and statistics. */
type Records = { store: Store; usage?: Usage | undefined };

/**
 * What a host allows a request beyond what its client is registered for: one more redirect URI, for a limited time.
 * What is issued under it ends with it; codes, refresh tokens and the access tokens of both carry its id. Consent to it
 * is asked each time and not remembered.
 */
export type Exemption = {
  /** Stored with requests, codes and tokens, so that the policy can find the exemption again. */
  id: string;
  clientId: string;
  /** The only redirect URI, compared byte for byte. */
  redirectUri: string;
  /** Unix seconds. Nothing that is issued under it is valid after this. */
  endsAt: number;
  /** The longest lifetime of an access token, in seconds. */
  accessTokenSeconds?: number;
  /** The only user who can take part; anybody if left out. */
  userId?: string;
  /**
   * The grant of everything that is issued, if it exists already. Otherwise each approval makes a grant, as without an
   * exemption.
   */
  grantId?: string;
  /** The pages for consent say that the user tests the client. */
  isTest: boolean;
  /**
   * The same records for a request under the exemption, for example without statistics. A new store has none of the
   * caches that are kept for a store, so it is for what is written alone.
   */
  recordsOf(records: Records): Records;
  /** The error for a user, redirect URI, code or token that the exemption does not cover. */
  refusal(of: "user" | "redirect_uri" | "credential", detail?: RefusalDetail): OAuthError;
};

/** Finds the exemptions of a host. */
export type RequestPolicy = {
  /**
   * The exemption for a redirect URI that is not registered for the client; undefined if there is none. Asked only for
   * clients with {@link Client.hasExemptions}. Throws when it has ended.
   */
  ofRedirectUri(client: Client, sent: string): Promise<Exemption | undefined>;
  /**
   * The exemption that a stored request names. Throws `invalid_request_uri`, which appears on our own page, when it has
   * ended.
   */
  ofRequest(id: string): Promise<Exemption>;
  /**
   * The exemption named by a code or token that is presented in an ordinary request. Throws `invalid_grant` when it
   * has ended, or if what it issues is valid only in requests that the host makes under it.
   */
  ofCredential(id: string): Promise<Exemption>;
};

/** How the protocol knows of exemptions. */
export type PolicyDeps = {
  /** Without it there are no exemptions. */
  policy?: RequestPolicy;
  /**
   * The exemption of this request, which also authenticates its client. Only the host sets it, for a request that it
   * makes itself in this process; no request over HTTP has it. CO-40.
   */
  exemption?: Exemption;
};

/** The dependencies for what happens under an exemption; the same ones without an exemption. */
export function depsUnder<Deps extends Records>(exemption: Exemption | undefined, deps: Deps): Deps {
  return exemption ? { ...deps, ...exemption.recordsOf(deps) } : deps;
}

/** Throws, for our own page, unless this user can take part. CO-39. */
export function requireExemptUser(exemption: Exemption | undefined, user: { id: string }): void {
  if (exemption?.userId !== undefined && exemption.userId !== user.id) throw exemption.refusal("user");
}

/**
 * The exemption that a code or token was issued under. In an ordinary request, undefined, without a promise, if there
 * is none. Throws `invalid_grant` as {@link RequestPolicy.ofCredential} does, and for a request under an exemption that
 * did not issue the credential. CO-30, CO-40.
 */
export function exemptionOfCredential(
  id: string | null | undefined,
  { policy, exemption }: PolicyDeps,
): Exemption | Promise<Exemption> | undefined {
  if (exemption) {
    if (id !== exemption.id) throw exemption.refusal("credential");
    return exemption;
  }
  if (id === null || id === undefined) return undefined;
  if (!policy) throw new Error("a credential of an exemption, and no policy that knows it");
  return policy.ofCredential(id);
}
