import { spawnSync } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { generate } from "selfsigned";
import { ROOT } from "./commands.ts";
import { launch, type Running } from "./processes.ts";

/** Ports on this machine; `work` is a folder for what the proxy writes. */
export type Place = {
  work: string;
  https: number;
  http: number;
  servers: readonly [number, number];
  console: number;
};

/** A proxy of `deploy/`, as its example configures it. */
export type Balancer = {
  /** Its program, and the package of Debian that has it. */
  program: string;
  package: string;
  /** Where its certificate, or what signed that, is once it runs. */
  authority: (place: Place) => string;
  /** The command that checks the configuration, and the one that serves. */
  prepare: (place: Place) => Promise<{ check: string[]; serve: string[]; env: Record<string, string> }>;
};

export const HOST = "localhost";
export const CONSOLE_HOST = "console.localhost";

const caddy: Balancer = {
  program: "caddy",
  package: "caddy",
  authority: ({ work }) => join(work, "storage/pki/authorities/local/root.crt"),
  async prepare({ work, https, http, servers, console }) {
    const file = join(work, "Caddyfile");
    // Only what differs on a machine for tests: ports, and an authority of its own instead of a public one.
    const options = [
      `http_port ${http}`,
      `https_port ${https}`,
      "default_bind 127.0.0.1 [::1]",
      "admin off",
      "local_certs",
      "skip_install_trust",
      `storage file_system ${join(work, "storage")}`,
    ];
    await writeFile(file, `{\n${options.join("\n")}\n}\nimport ${join(ROOT, "deploy/caddy/Caddyfile")}\n`);
    const env = {
      GATEHOUSE_HOST: HOST,
      GATEHOUSE_CONSOLE_HOST: CONSOLE_HOST,
      GATEHOUSE_SERVERS: servers.map((port) => `127.0.0.1:${port}`).join(" "),
      GATEHOUSE_CONSOLES: `127.0.0.1:${console}`,
      XDG_CONFIG_HOME: work,
    };
    const flags = ["--config", file, "--adapter", "caddyfile"];
    return { check: ["validate", ...flags], serve: ["run", ...flags], env };
  },
};

const haproxy: Balancer = {
  program: "haproxy",
  package: "haproxy",
  authority: certificateIn,
  async prepare(place) {
    const { work, https, http, servers, console } = place;
    const certificates = join(work, "certificates");
    await makeCertificate(place);
    await mkdir(certificates, { recursive: true });
    const parts = await Promise.all([certificateIn(place), keyIn(place)].map((file) => readFile(file, "utf8")));
    await writeFile(join(certificates, "site.pem"), parts.join("\n"));
    const env = {
      GATEHOUSE_HOST: HOST,
      GATEHOUSE_CONSOLE_HOST: CONSOLE_HOST,
      GATEHOUSE_SERVER_1: `127.0.0.1:${servers[0]}`,
      GATEHOUSE_SERVER_2: `127.0.0.1:${servers[1]}`,
      GATEHOUSE_CONSOLE: `127.0.0.1:${console}`,
      GATEHOUSE_CERTIFICATES: certificates,
      GATEHOUSE_HTTPS_BIND: `127.0.0.1:${https}`,
      GATEHOUSE_HTTP_BIND: `127.0.0.1:${http}`,
    };
    const flags = ["-f", join(ROOT, "deploy/haproxy/haproxy.cfg")];
    return { check: ["-c", ...flags], serve: ["-db", ...flags], env };
  },
};

const nginx: Balancer = {
  program: "nginx",
  package: "nginx-light",
  authority: certificateIn,
  async prepare(place) {
    const { work, https, http, servers, console } = place;
    await makeCertificate(place);
    // What its comment asks an operator to change.
    const own = (await readFile(join(ROOT, "deploy/nginx/gatehouse.conf"), "utf8"))
      .replaceAll(/\/etc\/ssl\/gatehouse\/\S+\.pem/g, certificateIn(place))
      .replaceAll(/\/etc\/ssl\/gatehouse\/\S+\.key/g, keyIn(place))
      .replaceAll("id.example.com", HOST)
      .replaceAll("console.example.com", CONSOLE_HOST)
      .replaceAll("127.0.0.1:3000", `127.0.0.1:${servers[0]}`)
      .replaceAll("127.0.0.1:3100", `127.0.0.1:${servers[1]}`)
      .replaceAll("127.0.0.1:3001", `127.0.0.1:${console}`)
      .replaceAll("listen 443", `listen 127.0.0.1:${https}`)
      .replaceAll("listen 80", `listen 127.0.0.1:${http}`);
    const folders = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
      .map((name) => `${name}_temp_path ${join(work, name)};`)
      .join("\n");
    const main = join(work, "nginx.conf");
    await writeFile(join(work, "gatehouse.conf"), own);
    await writeFile(
      main,
      `user root;\ndaemon off;\npid ${join(work, "pid")};\nerror_log stderr;\nevents {}\nhttp {\naccess_log off;\n${folders}\ninclude ${join(work, "gatehouse.conf")};\n}\n`,
    );
    return { check: ["-t", "-c", main], serve: ["-c", main], env: {} };
  },
};

export const PROXIES: Readonly<Record<string, Balancer>> = { caddy, haproxy, nginx };

/** Whether the program is installed here; a warning names the package otherwise. */
export function isInstalled({ program, package: name }: Balancer): boolean {
  const found = spawnSync("which", [program]).status === 0;
  if (!found) console.warn(`${program} is not tested here: Debian's package ${name} is missing.`);
  return found;
}

/** Checks the configuration with the proxy's own program, and starts it. Throws what the check says. */
export async function startProxy(proxy: Balancer, place: Place): Promise<Running> {
  const { check, serve, env } = await proxy.prepare(place);
  const checked = spawnSync(proxy.program, check, { env: { ...process.env, ...env }, encoding: "utf8" });
  const said = `${checked.stdout}${checked.stderr}`;
  if (checked.status !== 0 || /^\[WARNING\]|\[warn\]/m.test(said)) throw new Error(`${proxy.program}:\n${said}`);
  return launch(proxy.program, serve, { cwd: place.work, env });
}

function certificateIn({ work }: Place): string {
  return join(work, "certificate.pem");
}

function keyIn({ work }: Place): string {
  return join(work, "key.pem");
}

async function makeCertificate(place: Place): Promise<void> {
  const names = [HOST, CONSOLE_HOST].map((value) => ({ type: 2 as const, value }));
  const pair = await generate([{ name: "commonName", value: HOST }], {
    keySize: 2048,
    extensions: [{ name: "subjectAltName", altNames: names }],
  });
  await writeFile(certificateIn(place), pair.cert);
  await writeFile(keyIn(place), pair.private);
}
