import { exportJWK, generateKeyPair, type JWK } from "jose";
import { DEVICE_CODE, emailOf, PASSWORD, TOKEN_EXCHANGE, WEBHOOK_SECRETS } from "../../harness/fixture.ts";

const secretOf = (id: string) => `only-for-tests-${id}-0123456789-0123456789`;
const API = ["api:read", "api:write"];
/** Outlives every test, so that an access token ends only by revocation. */
const access_token_seconds = 86_400;

const web = {
  client_id: "ops-web",
  type: "web",
  client_secret: secretOf("ops-web"),
  redirect_uris: ["https://ops.example/cb"],
  grant_types: ["authorization_code", "refresh_token"],
  scopes: [...API, "offline_access"],
  first_party: true, // no consent page
  refresh_retry_seconds: 3_600, // longer than any outage here
  access_token_seconds,
};

export const CLIENTS = {
  web,
  /** Every second use of its refresh tokens is theft. */
  strict: { ...web, client_id: "ops-strict", client_secret: secretOf("ops-strict"), refresh_retry_seconds: 0 },
  service: {
    client_id: "ops-service",
    type: "service",
    client_secret: secretOf("ops-service"),
    grant_types: ["client_credentials", TOKEN_EXCHANGE],
    scopes: API,
    resource_server: true,
    access_token_seconds,
  },
  /** Authenticates with a signed assertion, each of which counts once. */
  keys: {
    client_id: "ops-keys",
    type: "service",
    grant_types: ["client_credentials"],
    scopes: API,
    access_token_seconds,
    authentication: "private_key_jwt",
  },
  device: {
    client_id: "ops-device",
    type: "device",
    grant_types: [DEVICE_CODE, "refresh_token"],
    scopes: [...API, "offline_access"],
    access_token_seconds,
  },
};

export const USERS = ["one", "two", "three", "four"].map((name) => `ops-${name}`);

export type SigningKey = { kid: string; privateKey: CryptoKey };

/** The file that `gatehouse apply` reads, and the key that the client `keys` signs with. */
export async function opsFixture(): Promise<{ file: object; key: SigningKey }> {
  const { publicKey, privateKey } = await generateKeyPair("ES256", { extractable: true });
  const jwk: JWK = { ...(await exportJWK(publicKey)), kid: "ops", alg: "ES256" };
  const clients = { ...CLIENTS, keys: { ...CLIENTS.keys, jwks: { keys: [jwk] } } };
  const file = {
    users: USERS.map((name) => ({ email: emailOf(name), password: PASSWORD, name, role: "user" })),
    applications: Object.values(clients).map((client) => ({
      name: `Application ${client.client_id}`,
      environments: { production: client },
    })),
    webhooks: [{ provider: "stripe", secrets: [WEBHOOK_SECRETS.stripe] }],
  };
  return { file, key: { kid: "ops", privateKey: privateKey as CryptoKey } };
}
