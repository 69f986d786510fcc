// Registers one of the examples for development, then runs it against the Gatehouse that is running.
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { environment, giveUp, install, pnpm, ROOT, requireFreePort, requireNode, run } from "./ground.mjs";

const folder = process.argv[2] ?? "relying-party";
const env = environment();
const issuer = env.GATEHOUSE_ISSUER;
const port = process.env.EXAMPLE_PORT ?? (folder === "mcp-server" ? "4100" : "4000");

/** What each example has to be registered with, and what it has to know. */
const EXAMPLES = {
  "relying-party": () => {
    const secret = keptSecret();
    const client = {
      client_id: "example-relying-party",
      type: "web",
      client_secret: secret,
      redirect_uris: [`http://localhost:${port}/callback`],
      post_logout_redirect_uris: [`http://localhost:${port}/`],
      grant_types: ["authorization_code", "refresh_token"],
      scopes: ["offline_access", "api:read"],
    };
    return {
      fixture: { applications: [{ name: "Example relying party", environments: { development: client } }] },
      registered: `${client.client_id} (application "Example relying party", development)`,
      settings: { CLIENT_ID: client.client_id, CLIENT_SECRET: secret },
    };
  },
  "mcp-server": () => {
    const resource = `http://localhost:${port}/mcp`;
    const client = {
      client_id: "example-mcp-client",
      type: "native",
      redirect_uris: ["http://localhost:6274/oauth/callback", "http://localhost:6274/oauth/callback/debug"],
      grant_types: ["authorization_code", "refresh_token"],
      scopes: ["offline_access", "notes:read", "notes:write"],
      resources: [resource],
    };
    const scopes = { "notes:read": "see your notes", "notes:write": "add notes" };
    return {
      fixture: {
        resources: [{ id: resource, name: "Example notes", scopes, token_format: "jwt" }],
        applications: [{ name: "Example MCP client", environments: { development: client } }],
      },
      registered: `${resource}, and the client ${client.client_id} (development)`,
      settings: { RESOURCE: resource },
    };
  },
};

if (!Object.hasOwn(EXAMPLES, folder)) giveUp(`There is no example "${folder}". There are ${Object.keys(EXAMPLES).join(" and ")}.`);
requireNode();
await requireRunning();
await requireFreePort(port, "EXAMPLE_PORT");
await install();
const { fixture, registered, settings } = EXAMPLES[folder]();
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
  const place = resolve(ROOT, process.env.GATEHOUSE_DATA_DIR ?? ".data");
  const file = join(place, "example-client-secret");
  mkdirSync(place, { recursive: true });
  if (!existsSync(file)) writeFileSync(file, `gcs_${randomBytes(32).toString("base64url")}`, { mode: 0o600 });
  return readFileSync(file, "utf8").trim();
}

async function register() {
  const place = mkdtempSync(join(tmpdir(), "gatehouse-example-"));
  const file = join(place, "apply.json");
  writeFileSync(file, JSON.stringify(fixture), { mode: 0o600 });
  const { code, output } = await run(...pnpm("--silent", "gatehouse", "apply", file), {
    env,
    quiet: true,
    label: "registering the example",
  });
  rmSync(place, { recursive: true });
  if (code !== 0) {
    console.error(output);
    giveUp("The example could not be registered; the lines above say why.");
  }
  console.log(`› Registered ${registered}`);
}

function start() {
  const child = spawn(process.execPath, ["--import", "tsx", "server.ts"], {
    cwd: join(ROOT, "examples", folder),
    env: { ...env, ...settings, ISSUER: issuer, PORT: port },
    stdio: "inherit",
  });
  // The terminal sends Ctrl-C to both of us; the example's end is ours.
  process.on("SIGINT", () => {});
  process.on("SIGTERM", () => child.kill("SIGTERM"));
  child.once("close", (code) => process.exit(code ?? 0));
}
