// npm run example [-- <name> [arguments]]: registers an example with the running Gatehouse, then starts it. The folders
// of examples/ that have a registration.mjs are the examples.
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { environment, fail, install, ROOT, readEnvFile, requireFreePorts, requireNode, run } from "./steps.mjs";

const EXAMPLES = readdirSync(join(ROOT, "examples")).filter((name) =>
  existsSync(join(ROOT, "examples", name, "registration.mjs")),
);
const [name = "relying-party", ...rest] = process.argv.slice(2);
if (!EXAMPLES.includes(name)) fail(`There is no example "${name}". Use one of: ${EXAMPLES.join(", ")}.`);

requireNode();
await install("examples");
await readEnvFile();
const env = environment();
const issuer = env.GATEHOUSE_ISSUER;
const example = await import(`../examples/${name}/registration.mjs`);
const port = process.env.EXAMPLE_PORT ?? example.port;

await requireRunning();
if (port !== undefined) await requireFreePorts({ EXAMPLE_PORT: port });
const { fixture, registered, settings } = example.registration({ port, secretOf });
await register();
start();

async function requireRunning() {
  const metadata = await fetch(`${issuer}/.well-known/oauth-authorization-server`)
    .then((response) => response.json())
    .catch(() => undefined);
  if (metadata?.issuer !== issuer) {
    fail(
      `No Gatehouse answers at ${issuer}. Start it in another terminal with \`npm start\`, or name it: GATEHOUSE_ISSUER=… npm run example`,
    );
  }
}

/**
 * The secret of an example's client, generated once and stored in the data folder, so that running again changes
 * nothing.
 */
function secretOf(clientId) {
  const folder = resolve(ROOT, process.env.GATEHOUSE_DATA_DIR ?? ".data", "example-secrets");
  const file = join(folder, clientId);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (!existsSync(file)) writeFileSync(file, `gcs_${randomBytes(32).toString("base64url")}`, { mode: 0o600 });
  return readFileSync(file, "utf8").trim();
}

async function register() {
  const folder = mkdtempSync(join(tmpdir(), "gatehouse-example-"));
  const file = join(folder, "apply.json");
  writeFileSync(file, JSON.stringify(fixture), { mode: 0o600 });
  const { code, output } = await run(process.execPath, ["scripts/gatehouse.mjs", "apply", file], {
    env,
    quiet: true,
    label: "registering the example",
  });
  rmSync(folder, { recursive: true });
  if (code !== 0) {
    console.error(output);
    fail("The example could not be registered; the lines above say why.");
  }
  console.log(`› Registered ${registered}`);
}

function start() {
  const loader = example.program.endsWith(".ts") ? ["--import", "tsx"] : [];
  const child = spawn(process.execPath, [...loader, example.program, ...(example.args ?? []), ...rest], {
    cwd: join(ROOT, "examples", name),
    env: { ...env, GATEHOUSE_ISSUER: issuer, ...settings, ISSUER: issuer, PORT: port ?? "" },
    stdio: "inherit",
  });
  // The terminal sends Ctrl-C to both processes; this one exits after the example.
  process.on("SIGINT", () => {});
  process.on("SIGTERM", () => child.kill("SIGTERM"));
  child.once("close", (code) => process.exit(code ?? 0));
}
