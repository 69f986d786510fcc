import { chmod, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { generate } from "selfsigned";
import { launch, type Running } from "../../harness/processes.ts";
import { program } from "../form.ts";

export type Balancer = {
  /** `https://localhost:<port>`, with a certificate that `ca` verifies. */
  issuer: string;
  port: number;
  ca: string;
  running: Running;
};

/** Names what the balancer itself answered, so that its answers are told from the servers'. */
export const BALANCER_HEADER = "x-balancer";

/**
 * What a client gets when a server died under its request, none is up, or one does not answer: the same as from a server
 * that cannot serve now.
 */
const unavailable = (cause: string) =>
  [
    "HTTP/1.1 503 Service Unavailable",
    "Content-Type: application/json",
    "Cache-Control: no-store",
    "Retry-After: 5",
    `${BALANCER_HEADER}: ${cause}`,
    "Connection: close",
    "",
    '{"error":"temporarily_unavailable"}',
  ].join("\r\n");

/**
 * Starts Debian's HAProxy with TLS in front of servers on these ports, with the checks and retries of deploy/haproxy. It
 * repeats a request only if no server has received it.
 */
export async function startBalancer(folder: string, port: number, servers: readonly number[]): Promise<Balancer> {
  const { cert, private: key } = await generate([{ name: "commonName", value: "localhost" }], {
    extensions: [{ name: "subjectAltName", altNames: [{ type: 2, value: "localhost" }] }],
  });
  const site = join(folder, "site.pem");
  await writeFile(site, `${cert.trim()}\n${key.trim()}\n`, { mode: 0o600 });
  const errors = ["502", "503", "504"];
  for (const cause of errors) await writeFile(join(folder, `${cause}.http`), unavailable(cause));

  const configuration = `
global
  maxconn 4000
defaults
  mode http
  timeout connect 1s
  timeout client 30s
  timeout server 15s
  timeout check 3s
  timeout http-keep-alive 60s
  option redispatch 1
  retries 3
  retry-on conn-failure
${errors.map((cause) => `  errorfile ${cause} ${join(folder, `${cause}.http`)}`).join("\n")}
frontend https
  bind 127.0.0.1:${port} ssl crt ${site} alpn http/1.1
  http-request set-header X-Forwarded-For %[src]
  default_backend gatehouse
backend gatehouse
  balance leastconn
  option httpchk GET /readyz
  http-check expect status 200
  default-server check inter 2s fastinter 1s fall 1 rise 1 pool-purge-delay 60s
${servers.map((server, at) => `  server web${at} 127.0.0.1:${server}`).join("\n")}
`;
  const file = join(folder, "haproxy.cfg");
  await writeFile(file, configuration);
  await chmod(file, 0o600);
  const running = launch(program("haproxy"), ["-f", file, "-db"], { cwd: folder, env: {} });
  await untilListening(port, running).catch(async (error: unknown) => {
    await running.crash();
    throw error;
  });
  return { issuer: `https://localhost:${port}`, port, ca: cert, running };
}

/** Resolves when the balancer accepts connections; throws with its output if it ends before. */
async function untilListening(port: number, { child, output }: Running): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`HAProxy ended with ${child.exitCode}:\n${output()}`);
    const socket = connect(port, "127.0.0.1");
    const isOpen = await new Promise<boolean>((resolve) =>
      socket.once("connect", () => resolve(true)).once("error", () => resolve(false)),
    );
    socket.destroy();
    if (isOpen) return;
    await pause(50);
  }
}
