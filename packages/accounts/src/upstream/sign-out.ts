import type { Deps, SessionUpstream } from "@gatehouse/auth";
import { isUrl } from "@gatehouse/runtime";
import { decodeJwt } from "jose";
import { buildEndSessionUrl } from "openid-client";
import type { SignInProviderStore } from "../store/sign-in-providers.ts";
import { PRESETS } from "./presets/index.ts";
import { type SignInProvider, settingsOf } from "./provider.ts";
import type { Upstream } from "./upstream.ts";
import { asUpstreamError } from "./upstream-error.ts";

/** What the ID token of a session's provider is sealed for. */
export const UPSTREAM_ID_TOKEN = "upstream id token";

type SignOutDeps = Pick<Deps, "config" | "seal"> & { upstream: Upstream; people: SignInProviderStore };

/**
 * Where the user of a session signs out of its provider too: undefined unless the provider's `logout` asks for it and
 * the provider has such a page. OpenID Connect RP-Initiated Logout §2. UP-12.
 */
export async function upstreamSignOut(
  { provider: id, idToken }: SessionUpstream,
  deps: SignOutDeps,
): Promise<{ name: string; url: string } | undefined> {
  const provider = (await deps.people.listSignInProviders()).find((one) => one.id === id && one.enabled);
  if (!provider) return undefined;
  const { logout } = settingsOf(provider);
  const hint = logout === "id_token_hint" && idToken !== null ? openHint(idToken, provider, deps) : undefined;
  if (logout === "off" || (logout === "id_token_hint" && hint === undefined)) return undefined;
  try {
    const client = await deps.upstream.clientOf(provider);
    if (client.serverMetadata().end_session_endpoint === undefined) return undefined;
    const parameters = {
      post_logout_redirect_uri: `${deps.config.issuer}/sign-in`,
      ...(hint !== undefined && { id_token_hint: hint }),
    };
    return { name: provider.name, url: buildEndSessionUrl(client, parameters).href };
  } catch (thrown) {
    asUpstreamError(thrown); // throws what is not the provider's fault
    return undefined;
  }
}

/**
 * The ID token as it is in the session, unless the provider's issuer has changed: it names a user of the one that made
 * it.
 */
function openHint(sealed: string, provider: SignInProvider, { seal }: Pick<Deps, "seal">): string | undefined {
  const token = seal.open(UPSTREAM_ID_TOKEN, sealed);
  return token !== undefined && isOfOrigin(issuerOf(token), PRESETS[provider.preset].issuerOf(provider))
    ? token
    : undefined;
}

function issuerOf(token: string): string {
  try {
    return decodeJwt(token).iss ?? "";
  } catch {
    return "";
  }
}

/** Not the whole issuer: that of Entra differs with the tenant. */
const isOfOrigin = (url: string, other: string) =>
  isUrl(url) && isUrl(other) && new URL(url).origin === new URL(other).origin;
