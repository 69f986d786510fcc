// A command line that signs its user in by the device flow (RFC 8628), keeps the tokens in a file and calls the API.
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import * as oauth from "openid-client";

const { ISSUER = "http://localhost:3000", CLIENT_ID = "example-device-cli" } = process.env;
const FILE = process.env["TOKEN_FILE"] ?? join(homedir(), ".gatehouse-example-tokens.json");
const REFRESH_BEFORE_MS = 10_000;

type Kept = { accessToken: string; refreshToken: string | undefined; expiresAt: number };

const execute = ISSUER.startsWith("http:") ? [oauth.allowInsecureRequests] : [];
const config = await oauth
  .discovery(new URL(ISSUER), CLIENT_ID, {}, oauth.None(), { algorithm: "oauth2", execute })
  .catch((error) => {
    console.error(`No Gatehouse answers at ${ISSUER} (${error}). Start it with: npm start`);
    process.exit(1);
  });

/** Shows the code, then polls at the server's interval until the user allows or denies it. */
async function signIn(): Promise<Kept> {
  const device = await oauth.initiateDeviceAuthorization(config, { scope: "offline_access api:read" });
  console.log(`Open ${device.verification_uri} and enter the code ${device.user_code}`);
  console.log(`or open ${device.verification_uri_complete}`);
  return keep(await oauth.pollDeviceAuthorizationGrant(config, device));
}

function keep(answer: oauth.TokenEndpointResponse, previous?: string): Kept {
  const { access_token, refresh_token = previous, expires_in = 0 } = answer;
  const tokens = { accessToken: access_token, refreshToken: refresh_token, expiresAt: Date.now() + expires_in * 1000 };
  writeFileSync(FILE, JSON.stringify(tokens), { mode: 0o600 });
  return tokens;
}

/** The stored tokens, refreshed if they are about to expire; a new sign-in if there are none or they were revoked. */
async function tokens(): Promise<Kept> {
  if (!existsSync(FILE)) return signIn();
  const kept: Kept = JSON.parse(readFileSync(FILE, "utf8"));
  if (Date.now() < kept.expiresAt - REFRESH_BEFORE_MS) return kept;
  if (kept.refreshToken === undefined) return signIn();
  try {
    return keep(await oauth.refreshTokenGrant(config, kept.refreshToken), kept.refreshToken);
  } catch (error) {
    if (!(error instanceof oauth.ResponseBodyError) || error.error !== "invalid_grant") throw error;
    return signIn();
  }
}

async function signOut(): Promise<void> {
  if (!existsSync(FILE)) return console.log("You are not signed in.");
  const { refreshToken, accessToken }: Kept = JSON.parse(readFileSync(FILE, "utf8"));
  await oauth.tokenRevocation(config, refreshToken ?? accessToken); // ends the whole grant
  rmSync(FILE);
  return console.log("Signed out.");
}

async function call(): Promise<void> {
  const { accessToken } = await tokens();
  const response = await fetch(`${ISSUER}/api/resource`, { headers: { authorization: `Bearer ${accessToken}` } });
  if (response.status === 401) rmSync(FILE, { force: true }); // revoked: the next run signs in again
  console.log(`GET /api/resource: ${response.status}`);
  console.log(await response.text());
}

const COMMANDS: Record<string, () => Promise<void>> = { call, "sign-out": signOut };
const command = COMMANDS[process.argv[2] ?? "call"];
if (!command) {
  console.error(`Unknown command "${process.argv[2]}". Use one of: ${Object.keys(COMMANDS).join(", ")}.`);
  process.exit(2);
}
await command().catch((error: unknown) => {
  const { error: code, error_description: why } = Object(error);
  console.error(
    code === "access_denied" ? "You denied access." : `That did not work: ${code ?? error}${why ? `: ${why}` : ""}`,
  );
  process.exit(1);
});
