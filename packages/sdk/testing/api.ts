import { mintAccessToken, revoke, signJwt, token } from "@gatehouse/auth";
import {
  basic,
  formRequest,
  ISSUER,
  MAIL,
  NOON,
  post,
  registerResources,
  SERVICE_SECRET,
  STOCK,
  scene,
  textAt,
} from "@gatehouse/auth/testing";
import type { GatehouseError } from "../src/error.ts";
import type { GatehouseOptions } from "../src/options.ts";
import { createTokens } from "../src/verify-token/verify-token.ts";
import { restartProcess, serverOf } from "./product.ts";

const CALLER = basic("shop-worker", SERVICE_SECRET);

/** Options of an API whose tokens are opaque, or with `MAIL.id`, JWTs. */
export function apiOptions(resource: string, change: GatehouseOptions = {}) {
  restartProcess();
  const s = scene();
  registerResources(s, "shop-worker", "shop-web");
  s.changeClient("shop-api", { options: { serves: [STOCK.id, MAIL.id] } });
  const server = serverOf(s);
  const errors: GatehouseError[] = [];
  const options: GatehouseOptions = {
    issuer: ISSUER,
    clientId: "shop-api",
    clientSecret: SERVICE_SECRET,
    resource,
    now: () => s.clock.now * 1000,
    fetch: server.fetch,
    onError: (error) => errors.push(error),
    ...change,
  };
  return {
    s,
    server,
    errors,
    options,
    /** A token of the service client, bound to the key of a proof that comes with it. */
    async tokenFor(scope: string, { dpop }: { dpop?: string } = {}): Promise<string> {
      const form = { grant_type: "client_credentials", scope, resource };
      return textAt(await post(s, token, form, { ...CALLER, ...(dpop !== undefined && { dpop }) }), "access_token");
    },
    /** An opaque token of the user Ada, who signed in a minute ago with a password. */
    async tokenOfUser(scope: string): Promise<string> {
      const { secret, hash } = mintAccessToken(NOON + 600, s.deps.random);
      const { acr, authTime } = s.session;
      const grant = { id: "grant", clientId: "shop-web", userId: s.user.id, scope, sessionId: null, accessEpoch: 0 };
      await s.store.saveGrant({ ...grant, createdAt: NOON });
      await s.store.saveAccessToken({
        hash,
        id: "token",
        grantId: "grant",
        clientId: "shop-web",
        clientEpoch: 0,
        userId: s.user.id,
        scope,
        context: { acr, authTime },
        audience: resource,
        environment: "production",
        issuedAt: NOON,
        expiresAt: NOON + 600,
      });
      return secret;
    },
    async revoke(secret: string): Promise<void> {
      await revoke(formRequest({ token: secret }, CALLER), s.deps, s.caller);
    },
    /** Claims of a good JWT access token, signed by the server. */
    sign(claims: Record<string, unknown> = {}, typ = "at+jwt"): Promise<string> {
      const good = {
        iss: ISSUER,
        aud: resource,
        sub: "user-ada",
        client_id: "shop-web",
        scope: "mail:send",
        environment: "production",
        iat: NOON,
        exp: NOON + 600,
        jti: "jwt",
      };
      return signJwt({ typ, algorithm: "ES256", claims: { ...good, ...claims } }, s.deps);
    },
    tokens: createTokens(options),
  };
}
