import type { Client } from "../clients/client.ts";
import { mintId } from "../crypto/secret.ts";
import { signJwt } from "../crypto/signing-keys.ts";
import type { Deps } from "../deps.ts";
import type { PostForm } from "../outbound/outbound.ts";
import type { LogoutNotice } from "../store/logout-notices.ts";
import { idTokenAlgorithm } from "../tokens/id-token.ts";

/** The `typ` of a logout token. OpenID Connect Back-Channel Logout §2.4. */
export const LOGOUT_TOKEN_TYPE = "logout+jwt";
const EVENT = "http://schemas.openid.net/event/backchannel-logout";

/** Seconds to wait after each failed attempt; after the last one the notice is dropped. */
const RETRY_SECONDS = [10, 60, 300, 1800, 7200];
const TOKEN_SECONDS = 120;
const BATCH = 20;
const LIMITS = { maxBytes: 64 * 1024, timeoutMs: 5000 };

type NoticeDeps = Pick<Deps, "config" | "store" | "now" | "random" | "seal" | "postForm">;

/**
 * Sends due logout notices to clients and records the outcomes. Safe to run in several processes. Retries for about two and a half
 * hours until the client responds 200 or 204. Returns the number of notices claimed; 0 when outbound requests are disabled.
 */
export async function sendLogoutNotices(deps: NoticeDeps): Promise<number> {
  const { postForm } = deps;
  if (!postForm) return 0;
  const notices = await deps.store.claimLogoutNotices(deps.now(), BATCH);
  await Promise.all(notices.map((notice) => send(notice, postForm, deps)));
  return notices.length;
}

async function send(notice: LogoutNotice, post: PostForm, deps: NoticeDeps): Promise<void> {
  const client = await deps.store.findClient(notice.clientId);
  const uri = client?.options.backchannelLogoutUri;
  // Disabled or changed meanwhile: nobody to notify.
  if (!client?.enabled || uri === undefined) return deps.store.recordLogoutAttempt(notice.id, { doneAt: deps.now() });

  const problem = await deliver(uri, await logoutToken(notice, client, deps), post);
  if (problem === undefined) return deps.store.recordLogoutAttempt(notice.id, { doneAt: deps.now() });
  const wait = RETRY_SECONDS[notice.attempts - 1];
  await deps.store.recordLogoutAttempt(notice.id, { nextAttemptAt: deps.now() + (wait ?? 0), lastError: problem });
  if (wait === undefined) await deps.store.recordLogoutAttempt(notice.id, { doneAt: deps.now() });
}

/** The problem, in a few words; undefined when the client accepted it. §2.8: 200, in practice also 204. */
async function deliver(uri: string, token: string, post: PostForm): Promise<string | undefined> {
  try {
    const { status } = await post(uri, new URLSearchParams({ logout_token: token }), LIMITS);
    return status === 200 || status === 204 ? undefined : `answered ${status}`;
  } catch (thrown) {
    return thrown instanceof Error ? thrown.message.slice(0, 200) : "not sent";
  }
}

/** Back-Channel Logout §2.4: names one session of one user; must not have a nonce. */
function logoutToken({ id, userId, sessionId }: LogoutNotice, client: Client, deps: NoticeDeps): Promise<string> {
  const now = deps.now();
  const claims = {
    iss: deps.config.issuer,
    sub: userId,
    aud: client.clientId,
    iat: now,
    exp: now + TOKEN_SECONDS,
    jti: `${id}.${mintId(deps.random)}`,
    sid: sessionId,
    events: { [EVENT]: {} },
  };
  return signJwt({ typ: LOGOUT_TOKEN_TYPE, claims, algorithm: idTokenAlgorithm(client) }, deps);
}
