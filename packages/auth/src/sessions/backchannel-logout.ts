import { type Client, isSelfDescribed } from "../clients/client.ts";
import { mintId } from "../crypto/secret.ts";
import { signJwt } from "../crypto/signing-keys.ts";
import type { Deps } from "../deps.ts";
import type { LogoutNotice } from "../store/sessions.ts";
import { idTokenAlgorithm } from "../tokens/id-token.ts";

/** The `typ` of a logout token. OpenID Connect Back-Channel Logout §2.4. */
export const LOGOUT_TOKEN_TYPE = "logout+jwt";
const EVENT = "http://schemas.openid.net/event/backchannel-logout";

const TOKEN_SECONDS = 120;
const LIMITS = { maxBytes: 64 * 1024, timeoutMs: 5000 };
/** Of a client that nobody registered: it can have any number of siblings that stay silent. */
const STRANGER_LIMITS = { ...LIMITS, timeoutMs: 3000 };

type NoticeDeps = Pick<Deps, "config" | "store" | "now" | "random" | "seal" | "postForm">;

/**
 * Sends a logout notice to its client, with a new token. Resolves when the client accepted it, or no longer has a
 * logout URI; rejects with the problem in a few words, and then the caller tries again. Sends nothing when outbound
 * requests are disabled.
 */
export async function sendLogoutNotice(notice: LogoutNotice, deps: NoticeDeps): Promise<void> {
  const { postForm, store } = deps;
  const client = await store.findClient(notice.clientId);
  const uri = client?.options.backchannelLogoutUri;
  if (!client?.enabled || uri === undefined || !postForm) return;
  const limits = isSelfDescribed(client)
    ? { ...STRANGER_LIMITS, namedBy: "stranger" as const }
    : { ...LIMITS, namedBy: "team" as const };
  const { status } = await postForm(
    uri,
    new URLSearchParams({ logout_token: await logoutToken(notice, client, deps) }),
    {
      ...limits,
      asker: client.clientId,
    },
  );
  // OpenID Connect Back-Channel Logout §2.8: 200, in practice also 204.
  if (status !== 200 && status !== 204) throw new Error(`answered ${status}`);
}

/** Back-Channel Logout §2.4: names one session of one user; must not have a nonce. */
function logoutToken({ userId, sessionId }: LogoutNotice, client: Client, deps: NoticeDeps): Promise<string> {
  const now = deps.now();
  const claims = {
    iss: deps.config.issuer,
    sub: userId,
    aud: client.clientId,
    iat: now,
    exp: now + TOKEN_SECONDS,
    jti: mintId(deps.random),
    sid: sessionId,
    events: { [EVENT]: {} },
  };
  return signJwt({ typ: LOGOUT_TOKEN_TYPE, claims, algorithm: idTokenAlgorithm(client) }, deps);
}
