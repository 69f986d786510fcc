// Ports that are taken: by whom, and which ones to use instead.
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { createServer } from "node:net";
import { isLoopbackUrl, LOOPBACK_ADDRESSES } from "../../packages/runtime/src/loopback.mjs";
import { fail } from "./common.mjs";

/** How far the ports that are offered are from those that are taken. */
const STEP = 100;
const LISTEN = "0A"; // the state of a listening socket in /proc/net/tcp

/** Exits unless every port, by the name of its variable, is valid and free on both loopback addresses. */
export async function requireFreePorts(ports, variables = process.env) {
  const taken = [];
  for (const [variable, port] of Object.entries(ports)) {
    if (!/^\d{1,5}$/.test(port) || Number(port) < 1 || Number(port) > 65_535)
      fail(`${variable} must be a port number, and is "${port}".`);
    const problem = await problemOf(Number(port));
    if (problem === "EADDRINUSE") taken.push(port);
    if (problem === "EACCES")
      fail(
        `Port ${port} needs more rights than this account has. Choose one above 1023: ${variable}=3000 ${invocation(variables)}`,
      );
  }
  if (taken.length > 0) fail(explainTaken(taken.map(describeTaken), await otherPorts(ports), variables));
}

/** What to say of ports that are taken. `others`: free ports, by the name of their variable. */
export function explainTaken(taken, others, variables) {
  const settings = { ...others, ...otherUrls(others, variables) };
  const command = [...Object.entries(settings).map(([name, value]) => `${name}=${value}`), invocation(variables)];
  return [
    taken.join(" "),
    `  Stop that, or use other ports with this command:\n\n    ${command.join(" ")}\n`,
    ...addressesAfter(others, variables),
  ].join("\n");
}

/** URLs that the user has set, and that name this machine, get the new ports as well. */
function otherUrls({ PORT, ADMIN_PORT }, variables) {
  const moved = { GATEHOUSE_ISSUER: PORT, GATEHOUSE_ADMIN_URL: ADMIN_PORT };
  return Object.fromEntries(
    Object.entries(moved)
      .filter(([name, port]) => port !== undefined && isLoopbackUrl(variables[name] ?? ""))
      .map(([name, port]) => [name, withPort(variables[name], port)]),
  );
}

function addressesAfter({ PORT, ADMIN_PORT }, { GATEHOUSE_ISSUER, GATEHOUSE_ADMIN_URL }) {
  if (PORT === undefined || ADMIN_PORT === undefined) return [];
  const urlOf = (given, port) =>
    given === undefined || isLoopbackUrl(given) ? withPort(given ?? "http://localhost", port) : given;
  return [
    `  The server is then ${urlOf(GATEHOUSE_ISSUER, PORT)} (GATEHOUSE_ISSUER), the console ${urlOf(GATEHOUSE_ADMIN_URL, ADMIN_PORT)} (GATEHOUSE_ADMIN_URL).`,
    "  To keep them, write the settings to the file .env.",
  ];
}

function withPort(url, port) {
  const changed = new URL(url);
  changed.port = port;
  return changed.origin;
}

function describeTaken(port) {
  const holder = holderOf(Number(port));
  return holder ? `Port ${port} is taken by process ${holder.pid} (${holder.command}).` : `Port ${port} is taken.`;
}

/** As many steps further for all of them as it takes until all are free; they stay neighbours. */
export async function otherPorts(ports) {
  for (let further = STEP; ; further += STEP) {
    const others = Object.entries(ports).map(([variable, port]) => [variable, Number(port) + further]);
    if (others.some(([, port]) => port > 65_535)) return ports; // nothing to offer
    const found = Object.fromEntries(others.map(([variable, port]) => [variable, String(port)]));
    if (await portsAreFree(found)) return found;
  }
}

/** Whether this process could listen on all of them. */
export async function portsAreFree(ports) {
  const problems = await Promise.all(Object.values(ports).map((port) => problemOf(Number(port))));
  return problems.every((problem) => problem === undefined);
}

/** Why this process cannot listen on the port: the code of the error. */
async function problemOf(port) {
  for (const host of LOOPBACK_ADDRESSES) {
    const problem = await new Promise((resolve) => {
      const probe = createServer();
      probe.once("error", (error) => resolve(error.code));
      probe.listen({ port, host, exclusive: true }, () => probe.close(() => resolve(undefined)));
    });
    if (problem === "EADDRINUSE" || problem === "EACCES") return problem;
  }
  return undefined;
}

/** The process that listens on the port, if this account may see that: its own processes, as a rule. */
export function holderOf(port) {
  return process.platform === "linux" ? holderInProc(port) : holderByLsof(port);
}

function holderInProc(port) {
  const local = `:${port.toString(16).toUpperCase().padStart(4, "0")}`;
  const sockets = new Set(
    ["/proc/net/tcp", "/proc/net/tcp6"]
      .flatMap((table) => readOr(table, "").split("\n"))
      .map((line) => line.trim().split(/\s+/))
      .filter(([, address = "", , state]) => address.endsWith(local) && state === LISTEN)
      .map((fields) => `socket:[${fields[9]}]`),
  );
  const pid = readdirSync("/proc").find(
    (name) => /^\d+$/.test(name) && filesOf(name).some((file) => sockets.has(file)),
  );
  return (
    pid && { pid: Number(pid), command: readOr(`/proc/${pid}/cmdline`, "").split("\0").join(" ").trim().slice(0, 80) }
  );
}

/** The files that the process has open; empty if it has ended or belongs to another user. */
function filesOf(pid) {
  try {
    return readdirSync(`/proc/${pid}/fd`).map((name) => readOr(`/proc/${pid}/fd/${name}`, "", readlinkSync));
  } catch {
    return [];
  }
}

function readOr(path, fallback, read = (file) => readFileSync(file, "utf8")) {
  try {
    return read(path);
  } catch {
    return fallback;
  }
}

/** macOS has lsof. Of its fields, p is the process and c the command. */
function holderByLsof(port) {
  const { stdout = "" } = spawnSync("lsof", ["-nP", `-iTCP:${port}`, "-sTCP:LISTEN", "-Fpc"], { encoding: "utf8" });
  const [, pid, command] = /^p(\d+)\nc(.+)$/m.exec(stdout ?? "") ?? [];
  return pid && { pid: Number(pid), command };
}

/** The command that the user typed. */
function invocation({ npm_lifecycle_event: script = "start" }) {
  return script === "start" ? "npm start" : `npm run ${script}`;
}
