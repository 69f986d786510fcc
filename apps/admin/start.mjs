import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

// `next start` or `next dev` where the environment says: on loopback only while the console's URL is on loopback.
const mode = process.argv[2] === "dev" ? "dev" : "start";
const url = new URL(process.env.GATEHOUSE_ADMIN_URL || "http://localhost");
const loopback = url.hostname === "localhost" || url.hostname === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(url.hostname);
const host = loopback ? url.hostname.replace(/^\[|\]$/g, "") : "0.0.0.0";
const next = createRequire(import.meta.url).resolve("next/dist/bin/next");

const server = spawn(process.execPath, [next, mode, "-p", process.env.ADMIN_PORT || "3001", "-H", host], {
  cwd: fileURLToPath(new URL(".", import.meta.url)),
  stdio: "inherit",
  env: { NEXT_TELEMETRY_DISABLED: "1", ...process.env },
});
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => server.kill(signal));
server.on("exit", (code, signal) => process.exit(code ?? (signal === "SIGINT" || signal === "SIGTERM" ? 0 : 1)));
