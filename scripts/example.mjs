// Registers the example application for development, then runs it against the Gatehouse that is running.
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { environment, giveUp, install, pnpm, ROOT, requireFreePort, requireNode, run } from "./ground.mjs";

const CLIENT_ID = "example-relying-party";
const port = process.env.EXAMPLE_PORT ?? "4000";
const env = environment();
const issuer = env.GATEHOUSE_ISSUER;

requireNode();
await requireRunning();
await requireFreePort(port, "EXAMPLE_PORT");
await install();
const secret = keptSecret();
await register();
start();

async function requireRunning() {
  const metadata = await fetch(`${issuer}/.well-known/oauth-authorization-server`)
    .then((response) => response.json())
    .catch(() => undefined);
  if (metadata?.issuer !== issuer) {
    giveUp(
      `No Gatehouse answers at ${issuer}. Start it in another terminal with \`npm start\`, or name it: GATEHOUSE_ISSUER=… npm run example`,
    );
  }
}

/** The example's own secret: made once and kept beside the database, so that running again registers nothing new. */
function keptSecret() {
  const folder = resolve(ROOT, process.env.GATEHOUSE_DATA_DIR ?? ".data");
  const file = join(folder, "example-client-secret");
  mkdirSync(folder, { recursive: true });
  if (!existsSync(file)) writeFileSync(file, `gcs_${randomBytes(32).toString("base64url")}`, { mode: 0o600 });
  return readFileSync(file, "utf8").trim();
}

async function register() {
  const client = {
    client_id: CLIENT_ID,
    type: "web",
    client_secret: secret,
    redirect_uris: [`http://localhost:${port}/callback`],
    post_logout_redirect_uris: [`http://localhost:${port}/`],
    grant_types: ["authorization_code", "refresh_token"],
    scopes: ["offline_access", "api:read"],
  };
  const folder = mkdtempSync(join(tmpdir(), "gatehouse-example-"));
  const file = join(folder, "apply.json");
  writeFileSync(file, JSON.stringify({ applications: [{ name: "Example relying party", environments: { development: client } }] }), {
    mode: 0o600,
  });
  const { code, output } = await run(...pnpm("--silent", "gatehouse", "apply", file), {
    env,
    quiet: true,
    label: "registering the example",
  });
  rmSync(folder, { recursive: true });
  if (code !== 0) {
    console.error(output);
    giveUp("The example could not be registered; the lines above say why.");
  }
  console.log(`› Registered as ${CLIENT_ID} (application "Example relying party", development)`);
}

function start() {
  const child = spawn(process.execPath, ["--import", "tsx", "server.ts"], {
    cwd: join(ROOT, "examples/relying-party"),
    env: { ...env, ISSUER: issuer, CLIENT_ID, CLIENT_SECRET: secret, PORT: port },
    stdio: "inherit",
  });
  // The terminal sends Ctrl-C to both of us; the example's end is ours.
  process.on("SIGINT", () => {});
  process.on("SIGTERM", () => child.kill("SIGTERM"));
  child.once("close", (code) => process.exit(code ?? 0));
}
