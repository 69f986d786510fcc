import { formatUserCode, generateUserCode } from "../authorization/device.ts";
import { authenticateClient } from "../clients/authentication.ts";
import { CLIENT_PARAMETERS } from "../clients/credentials.ts";
import { type Hash, mintSecret } from "../crypto/secret.ts";
import type { Deps } from "../deps.ts";
import { OAuthError } from "../errors/error.ts";
import { noteLeftOut } from "../errors/left-out.ts";
import { DEVICE_CODE_GRANT } from "../grants/table.ts";
import { type EndpointContext, formEndpoint } from "../http/endpoint.ts";
import { LIFETIME } from "../lifetimes.ts";
import { availableResources } from "../resources/registry.ts";
import { requestedScope } from "../resources/requested-scope.ts";
import {
  bindScopeToResources,
  rejectDeniedResources,
  scopeCause,
  storedAudience,
} from "../resources/resource-indicators.ts";
import type { DeviceCode } from "../store/device-codes.ts";

const PARAMETERS = [...CLIENT_PARAMETERS, "scope", "resource"];
/** With a million live codes one draw in 25,000 collides; ten in a row mean another problem. */
const MAX_DRAWS = 10;
const USER_AGENT_LIMIT = 256;

/** POST /device_authorization. RFC 8628 §3.1, §3.2; DF-01, DF-02, DF-11. */
export const deviceAuthorization = formEndpoint(
  { path: "/device_authorization", parameters: PARAMETERS, cors: false },
  async (posted) => {
    const { form, deps } = posted;
    const client = await authenticateClient(posted);
    if (!client.grantTypes.includes(DEVICE_CODE_GRANT)) {
      throw new OAuthError(
        "unauthorized_client",
        "client_grant_not_allowed",
        "the client is not registered for device codes",
        {
          description: "This client is not registered for the device flow.",
        },
      );
    }
    const available = await availableResources(client, deps);
    const resources = form.all("resource");
    rejectDeniedResources(resources, available);
    const resolved = await requestedScope(
      { scope: form.optional("scope"), resources, userDecides: true },
      client,
      available,
      deps,
    );
    if (!resolved.ok) {
      const { token } = resolved.problem;
      throw new OAuthError(
        "invalid_scope",
        scopeCause(resolved.problem, available),
        "not a scope this client may request",
        {
          description: "The scope is unknown, malformed or not allowed for this client.",
          detail: { token },
        },
      );
    }
    const bound = bindScopeToResources({ scope: resolved.scope, explicit: resolved.explicit, resources }, available);
    await noteLeftOut(resolved, { endpoint: "/device_authorization", clientId: client.clientId }, deps, posted.caller);
    const access = { scope: bound.scope, audience: storedAudience(bound.audience, available) };
    return start({ ...access, clientId: client.clientId, ...whereFrom(posted) }, deps);
  },
);

type Asked = Pick<DeviceCode, "clientId" | "scope" | "audience" | "requestedAddress" | "requestedUserAgent">;

async function start(asked: Asked, deps: Deps): Promise<object> {
  const { secret, hash } = mintSecret("deviceCode", deps.random);
  const userCode = await saveUnderFreeCode({ ...asked, hash }, deps);
  const page = `${deps.config.issuer}/device`;
  return {
    device_code: secret,
    user_code: userCode,
    verification_uri: page,
    verification_uri_complete: `${page}?user_code=${userCode}`,
    expires_in: LIFETIME.deviceCodeSeconds,
    interval: LIFETIME.devicePollSeconds,
  };
}

async function saveUnderFreeCode(asked: Asked & { hash: Hash }, deps: Deps): Promise<string> {
  const now = deps.now();
  for (let draw = 0; draw < MAX_DRAWS; draw++) {
    const userCode = generateUserCode(deps.random);
    const saved = await deps.store.saveDeviceCode({
      ...asked,
      userCode,
      intervalSeconds: LIFETIME.devicePollSeconds,
      createdAt: now,
      expiresAt: Math.min(now + LIFETIME.deviceCodeSeconds, deps.exemption?.endsAt ?? Number.POSITIVE_INFINITY),
      exemptionId: deps.exemption?.id ?? null,
    });
    if (saved) return formatUserCode(userCode);
  }
  throw new OAuthError("temporarily_unavailable", "internal", "no unused user code after ten draws", {
    description: "Try again.",
    headers: { "Retry-After": "1" },
  });
}

/** Where the request comes from, so that the user can compare it with their device. RFC 8628 §5.4. */
function whereFrom({ request, caller }: EndpointContext): Pick<DeviceCode, "requestedAddress" | "requestedUserAgent"> {
  const userAgent = request.headers.get("user-agent")?.slice(0, USER_AGENT_LIMIT) ?? null;
  return { requestedAddress: caller.address, requestedUserAgent: userAgent };
}
