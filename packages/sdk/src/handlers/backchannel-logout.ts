import { JOSEError } from "jose/errors";
import { jwtVerify } from "jose/jwt/verify";
import type { Context } from "../context.ts";
import { NO_STORE } from "../cookies/response.ts";
import { GatehouseError } from "../error.ts";
import { isKept, keepUntil } from "../process-state.ts";
import { serverKeys } from "../server/keys.ts";
import { endSid } from "../session/ended.ts";

const EVENT = "http://schemas.openid.net/event/backchannel-logout";
const ALGORITHMS = ["RS256", "ES256", "EdDSA"];
const MAX_AGE_SECONDS = 300;
const SKEW_SECONDS = 30;
const MAX_BODY_BYTES = 16 * 1024;

/**
 * POST backchannel-logout: the server says that a session has ended. It ends in this process at once, and with a store
 * in all. OpenID Connect Back-Channel Logout §2.5, §2.6. PK-34.
 */
export async function backchannelLogout(request: Request, context: Context): Promise<Response> {
  try {
    const sid = await endedSid(request, context);
    endSid(sid, context);
    await context.storage.removeBySid(sid);
    return new Response(null, { status: 200, headers: NO_STORE });
  } catch (error) {
    if (error instanceof GatehouseError && error.code === "unavailable") {
      context.settings.onError(error);
      const headers = { ...NO_STORE, "retry-after": String(error.retryAfterSeconds ?? 5) };
      return Response.json({ error: "temporarily_unavailable" }, { status: 503, headers });
    }
    if (error instanceof JOSEError) return invalid("The logout token is not valid.");
    if (error instanceof GatehouseError) return invalid(error.message);
    throw error;
  }
}

/** The session that a valid logout token names. Each token counts once. */
async function endedSid(request: Request, context: Context): Promise<string> {
  const { settings, state } = context;
  const now = settings.now();
  const { payload } = await jwtVerify(await logoutToken(request), serverKeys(context), {
    issuer: settings.issuer,
    audience: settings.clientId,
    typ: "logout+jwt",
    algorithms: ALGORITHMS,
    requiredClaims: ["iat", "jti", "events", "sid"],
    maxTokenAge: MAX_AGE_SECONDS,
    clockTolerance: SKEW_SECONDS,
    currentDate: new Date(now),
  });
  const { sid, jti, events, nonce } = payload;
  const names =
    typeof events === "object" && events !== null && typeof (events as Record<string, unknown>)[EVENT] === "object";
  // Back-Channel Logout §2.4: a nonce makes it an ID token, which must not end a session.
  if (!names || nonce !== undefined || typeof sid !== "string" || typeof jti !== "string")
    throw new GatehouseError("invalid_request", "The token is not a logout token.");
  if (isKept(state.spent, `jti ${jti}`, now))
    throw new GatehouseError("invalid_request", "The logout token was used before.");
  keepUntil(state.spent, `jti ${jti}`, now + (MAX_AGE_SECONDS + 2 * SKEW_SECONDS) * 1000, now);
  return sid;
}

async function logoutToken(request: Request): Promise<string> {
  const type = request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
  const body = type === "application/x-www-form-urlencoded" ? await readBounded(request) : undefined;
  const [token, ...more] = new URLSearchParams(body).getAll("logout_token");
  if (token === undefined || more.length > 0)
    throw new GatehouseError("invalid_request", "Send one logout_token as a form.");
  return token;
}

/** The body, unless it is longer than any logout token. Anybody can post here. */
async function readBounded({ body }: Request): Promise<string | undefined> {
  const decoder = new TextDecoder();
  const reader = body?.getReader();
  let text = "";
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
    text += decoder.decode(part.value, { stream: true });
    if (text.length <= MAX_BODY_BYTES) continue;
    await reader?.cancel();
    return undefined;
  }
  return text;
}

function invalid(description: string): Response {
  const body = { error: "invalid_request", error_description: description };
  return Response.json(body, { status: 400, headers: NO_STORE });
}
