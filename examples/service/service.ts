// A program that calls the API in its own name, without a user: client credentials. OAuth 2.1 §4.2.
import * as oauth from "openid-client";

const { ISSUER = "http://localhost:3000", CLIENT_ID = "example-service", CLIENT_SECRET = "" } = process.env;
const RENEW_BEFORE_MS = 10_000;

const execute = ISSUER.startsWith("http:") ? [oauth.allowInsecureRequests] : [];
const authentication = oauth.ClientSecretBasic(CLIENT_SECRET);
const config = await oauth
  .discovery(new URL(ISSUER), CLIENT_ID, {}, authentication, { algorithm: "oauth2", execute })
  .catch((error) => {
    console.error(`No Gatehouse answers at ${ISSUER} (${error}). Start it with: npm start`);
    process.exit(1);
  });

let current: { token: Promise<string>; expiresAt: number } = { token: Promise.resolve(""), expiresAt: 0 };

/** One token for all callers until shortly before it expires. Concurrent callers wait for the same request. */
function accessToken(): Promise<string> {
  if (Date.now() < current.expiresAt - RENEW_BEFORE_MS) return current.token;
  const request = oauth.clientCredentialsGrant(config, { scope: "api:read" });
  const token = request.then(({ access_token, expires_in = 0 }) => {
    current.expiresAt = Date.now() + expires_in * 1000;
    return access_token;
  });
  current = { token, expiresAt: Number.POSITIVE_INFINITY };
  token.catch(() => {
    current.expiresAt = 0; // the next caller tries again
  });
  return token;
}

async function call(): Promise<void> {
  const response = await fetch(`${ISSUER}/api/resource`, {
    headers: { authorization: `Bearer ${await accessToken()}` },
  });
  if (response.status === 401) current.expiresAt = 0; // revoked or the server was restored: get another one
  console.log(`GET /api/resource: ${response.status}`);
  console.log(await response.text());
  if (!response.ok) process.exitCode = 1;
}

await call().catch((error: unknown) => {
  const { error: code = error, error_description: why } = Object(error);
  console.error(`That did not work: ${code}${why ? `: ${why}` : ""}`);
  process.exitCode = 1;
});
