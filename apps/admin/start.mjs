import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { isLoopbackUrl } from "@gatehouse/runtime/loopback";
import { onReload, tellToReload } from "@gatehouse/runtime/reload";
import { onStop } from "@gatehouse/runtime/stop";
import { changedVariables, variablesReader } from "@gatehouse/runtime/variables";
import { consoleEnvironment, READ_AT_START, requiredSecretFile } from "./console-environment.mjs";

// Starts the console's server, or `next dev`. Without HOST, which keeps it to the machine of its proxy (OP-06), it listens
// on loopback only if the console's URL is there.
// The server process gets the console's own keys; GATEHOUSE_SECRET stays in this process.
const folder = fileURLToPath(new URL(".", import.meta.url));
const readVariables = orExit(() => variablesReader(process.env, folder));
const variables = orExit(readVariables);
const url = process.env.GATEHOUSE_ADMIN_URL || "http://localhost";
const host = process.env.HOST || (isLoopbackUrl(url) ? new URL(url).hostname.replace(/^\[|\]$/g, "") : "0.0.0.0");
const port = process.env.ADMIN_PORT || "3001";

// Half the memory. In return, a page takes about a tenth longer.
const SMALL = ["--optimize-for-size", "--max-semi-space-size=4"];
const dev = process.argv[2] === "dev";
const command = dev
  ? [createRequire(import.meta.url).resolve("next/dist/bin/next"), "dev", "-p", port, "-H", host]
  : [...SMALL, "serve.mjs", host, port];

let server;
if (!dev) onReload(reload);
await waitForSecretFile();
server = spawn(process.execPath, command, {
  cwd: folder,
  // The IPC channel closes when this process is killed, and the server stops
  stdio: ["inherit", "inherit", "inherit", "ipc"],
  env: {
    NEXT_TELEMETRY_DISABLED: "1",
    ...orExit(() => consoleEnvironment(variables)),
    NODE_ENV: dev ? "development" : "production",
  },
});
onStop(() => server.kill("SIGTERM"), { reloads: !dev });
server.on("exit", (code, signal) => process.exit(code ?? (signal === "SIGTERM" ? 0 : 1)));

/** Has the server read its certificate again, and says what needs a restart. OP-17 */
function reload() {
  if (server) tellToReload(server);
  try {
    const now = readVariables();
    consoleEnvironment(now); // which throws if the keys cannot be used
    const names = changedVariables(variables, now, READ_AT_START);
    if (names.length > 0) console.warn(`These variables changed, which needs a restart: ${names.join(", ")}`);
  } catch (error) {
    console.error(`The settings cannot be used, and those before stay: ${error.message}`);
  }
}

function orExit(read) {
  try {
    return read();
  } catch (error) {
    console.error(`The console cannot start: ${error.message}.`);
    process.exit(78);
  }
}

/**
 * On its first start on loopback the server generates the secret. A console that starts at the same time waits for the
 * file.
 */
async function waitForSecretFile() {
  const file = requiredSecretFile(variables);
  if (file === undefined || !isLoopbackUrl(process.env.GATEHOUSE_ISSUER || "http://localhost")) return;
  for (let seconds = 0; !existsSync(file) && seconds < 60; seconds += 0.05) {
    if (seconds === 0) console.warn(`Waiting for the server to create ${file}.`);
    await setTimeout(50);
  }
}
