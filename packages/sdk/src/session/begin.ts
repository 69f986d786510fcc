import type { Context } from "../context.ts";
import { base64url } from "../cookies/seal.ts";
import { GatehouseError } from "../error.ts";
import type { Environment } from "../options.ts";
import { introspect, type TokenAnswer } from "../server/tokens.ts";
import { markActive } from "./check.ts";
import type { Payload } from "./payload.ts";
import { personOf, textIn } from "./renewal.ts";

const ID_BYTES = 16;
const DEFAULT_LIFETIME_SECONDS = 300;
const ENVIRONMENTS: readonly unknown[] = ["development", "staging", "production"] satisfies Environment[];

/**
 * The session that begins with these tokens. The server says what they are worth: their environment is in no token
 * response, and without `openid` neither is the user. PK-36.
 *
 * @throws GatehouseError `server_error` if they are of another user or environment than they should be.
 */
export async function beginSession({ answer, claims, at }: TokenAnswer, context: Context): Promise<Payload> {
  const { settings } = context;
  const found = await introspect(context, answer.access_token);
  const environment = found["environment"];
  if (!found.active || typeof found.sub !== "string" || (claims && claims.sub !== found.sub))
    throw new GatehouseError("server_error", "the server does not vouch for the tokens that it issued");
  if (!isEnvironment(environment) || (settings.environment !== undefined && settings.environment !== environment))
    throw new GatehouseError(
      "server_error",
      `the client is of the environment ${String(environment).slice(0, 20)}, not ${settings.environment}`,
    );

  const lifetime = answer.expires_in ?? DEFAULT_LIFETIME_SECONDS;
  const payload: Payload = {
    id: base64url(settings.random(ID_BYTES)),
    userId: found.sub,
    ...personOf(claims ?? { email: found["username"] }),
    accessToken: answer.access_token,
    refreshToken: answer.refresh_token ?? null,
    idToken: answer.id_token ?? null,
    expiresAt: Math.floor(at / 1000) + lifetime,
    lifetime,
    scope: found.scope ?? answer.scope ?? "",
    environment,
    acr: textIn(found["acr"]),
    authTime: typeof found["auth_time"] === "number" ? found["auth_time"] : null,
    sid: textIn(claims?.["sid"]),
  };
  markActive(payload, at, context);
  return payload;
}

const isEnvironment = (value: unknown): value is Environment => ENVIRONMENTS.includes(value);
