// Ports that are taken: by whom, and which ones to use instead.
import { isLoopbackUrl } from "../../packages/runtime/src/loopback.mjs";
import { describeTaken, portProblem } from "../../packages/runtime/src/ports.mjs";
import { fail } from "./common.mjs";

export { holderOf } from "../../packages/runtime/src/ports.mjs";

/** How far the ports that are offered are from those that are taken. */
const STEP = 100;

/** Exits unless every port, by the name of its variable, is valid and free on both loopback addresses. */
export async function requireFreePorts(ports, variables = process.env) {
  const taken = [];
  for (const [variable, port] of Object.entries(ports)) {
    if (!/^\d{1,5}$/.test(port) || Number(port) < 1 || Number(port) > 65_535)
      fail(`${variable} must be a port number, and is "${port}".`);
    const problem = await portProblem(Number(port));
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
  const problems = await Promise.all(Object.values(ports).map((port) => portProblem(Number(port))));
  return problems.every((problem) => problem === undefined);
}

/** The command that the user typed. */
function invocation({ npm_lifecycle_event: script = "start" }) {
  return script === "start" ? "npm start" : `npm run ${script}`;
}
