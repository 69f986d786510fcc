import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { GatehouseError } from "../error.ts";
import { serverCommand } from "./server-command.ts";

export type StartOptions = {
  /** What the server starts with: the content of a file of `gatehouse apply`. */
  configuration?: object;
  /** Variables that the configuration names as `from_env`, and settings of the server. */
  env?: Readonly<Record<string, string>>;
  /** The program to run instead of the installed `@gatehouse/server`. */
  command?: string;
};

export type TestGatehouse = {
  issuer: string;
  /** What `gatehouse apply` printed: ids, and each generated secret. Undefined without a configuration. */
  applied: unknown;
  /** Ends the server, and deletes its data. */
  stop(): Promise<void>;
};

const READY_MS = 30_000;
const POLL_MS = 50;
/** What of this process's environment the server gets: everything else may be the product's. */
const FROM_SHELL = /^(PATH|HOME|USER|USERPROFILE|LANG|LC_\w+|TZ|TMPDIR|TEMP|TMP|SYSTEMROOT|WINDIR|COMSPEC)$/i;

/**
 * Starts a server of its own for tests: on a free port of loopback, with a database that `stop` deletes. It is the
 * server of `@gatehouse/server`, which has to be installed.
 *
 * @throws GatehouseError `configuration` if the package is not installed, or the configuration is refused; `unavailable`
 *   if the server does not start. Its messages contain what the server wrote.
 */
export async function startGatehouse({
  configuration,
  env: own = {},
  command,
}: StartOptions = {}): Promise<TestGatehouse> {
  const program = command ?? serverCommand();
  const folder = await mkdtemp(join(tmpdir(), "gatehouse-test-"));
  const port = await freePort();
  const issuer = `http://localhost:${port}`;
  const env = environmentOf(folder, port, issuer, own);
  let child: ChildProcess | undefined;
  const stop = async () => {
    if (child) await end(child);
    await rm(folder, { recursive: true, force: true });
  };
  try {
    child = await listen(program, issuer, env);
    const applied = configuration === undefined ? undefined : await apply(program, configuration, env);
    return { issuer, applied, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

type Environment = Record<string, string | undefined>;

function environmentOf(folder: string, port: number, issuer: string, own: StartOptions["env"]): Environment {
  return {
    ...Object.fromEntries(Object.entries(process.env).filter(([name]) => FROM_SHELL.test(name))),
    GATEHOUSE_ENV_FILE: "off",
    GATEHOUSE_DATA_DIR: folder,
    DATABASE_URL: `file:${join(folder, "gatehouse.db")}`,
    GATEHOUSE_ISSUER: issuer,
    GATEHOUSE_TRUST_PROXY: "1", // each browser of this kit has an address of its own
    PORT: String(port),
    LOG_LEVEL: "warn",
    ...own,
  };
}

async function apply(program: string, configuration: object, env: Environment): Promise<unknown> {
  const child = spawn(process.execPath, [program, "apply", "-"], { env, stdio: "pipe" });
  child.stdin.on("error", () => {}); // it may end before it reads
  child.stdin.end(JSON.stringify(configuration));
  const [[code], printed, said] = await Promise.all([once(child, "exit"), text(child.stdout), text(child.stderr)]);
  if (code !== 0) throw new GatehouseError("configuration", `The server refused the configuration:\n${said}`);
  return JSON.parse(printed);
}

/** Starts the server, and waits until it answers. */
async function listen(program: string, issuer: string, env: Environment): Promise<ChildProcess> {
  const child = spawn(process.execPath, [program, "web"], { env, stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (chunk: string) => {
      said = `${said}${chunk}`.slice(-4000);
    });
  const deadline = Date.now() + READY_MS;
  while (child.exitCode === null && Date.now() < deadline) {
    if (await answers(issuer)) return child;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  await end(child);
  throw new GatehouseError("unavailable", `The server did not start:\n${said}`);
}

async function answers(issuer: string): Promise<boolean> {
  const response = await fetch(`${issuer}/readyz`, { signal: AbortSignal.timeout(2000) }).catch(() => undefined);
  return response?.ok === true;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, "exit");
  child.kill("SIGTERM");
  const timer = setTimeout(() => child.kill("SIGKILL"), 5000);
  await gone;
  clearTimeout(timer);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "localhost");
  await once(server, "listening");
  const address = server.address();
  server.close();
  return typeof address === "object" && address !== null ? address.port : 0;
}
