import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv } from "ajv";
import { parse as parseToml } from "smol-toml";
import { describe, expect, test } from "vitest";
import { parse as parseYaml } from "yaml";
import { readSettings } from "../../packages/installation/src/settings/settings.ts";
import { SECRET_VARIABLES } from "../../packages/runtime/src/secret-files.mjs";

// The files for one click. Neither host's schema can be had from a package, and a copy of it would not be ours to
// publish: the fields are compared with those that their documentation has, and every night with Render's own schema.

const ROOT = join(import.meta.dirname, "../..");
const read = (file: string) => readFileSync(join(ROOT, file), "utf8");
const unknown = (found: object, known: readonly string[]) => Object.keys(found).filter((name) => !known.includes(name));
/** A stopping server needs this long at most: drain, stop, and closing the database. */
const STOP_SECONDS = 5 + 25 + 3;

/** The settings with which a host starts a server, with what it fills in. Throws if they do not go together. */
const settingsOf = (variables: Record<string, string>) => readSettings({ ...variables, HOST: "0.0.0.0" }, "/nowhere");
const SECRET = "0".repeat(44); // 32 bytes in base64, as both hosts make

/** The callers that a server behind these proxies sees. */
function callerBehind(settings: ReturnType<typeof settingsOf>, hops: readonly string[]): string | undefined {
  const proxies = settings.process.trustedProxies;
  return [...hops].reverse().find((hop) => !proxies?.has(hop));
}

describe("OP-08 render.yaml", () => {
  type Variable = {
    key: string;
    value?: string;
    generateValue?: boolean;
    sync?: boolean;
    fromDatabase?: { name: string; property: string };
    fromService?: { type: string; name: string; envVarKey: string };
  };
  type Service = Record<string, unknown> & { type: string; name: string; envVars: Variable[] };
  type Database = Record<string, unknown> & { name: string };
  const blueprint = parseYaml(read("render.yaml")) as { services: Service[]; databases: Database[] };
  const [service] = blueprint.services;
  const [database] = blueprint.databases;
  const variable = (name: string) => service?.envVars.find(({ key }) => key === name);

  test("OP-08 has the fields that Render's reference of blueprints has", () => {
    expect(unknown(blueprint, ["services", "databases", "envVarGroups", "previews", "projects", "ungrouped"])).toEqual(
      [],
    );
    const ofServices =
      "type name runtime plan region branch numInstances healthCheckPath preDeployCommand dockerCommand";
    const others = "dockerfilePath dockerContext maxShutdownDelaySeconds envVars disk domains autoDeployTrigger";
    expect(unknown(service ?? {}, `${ofServices} ${others}`.split(" "))).toEqual([]);
    const ofDatabases =
      "name databaseName user plan region postgresMajorVersion ipAllowList diskSizeGB highAvailability";
    expect(unknown(database ?? {}, ofDatabases.split(" "))).toEqual([]);
    for (const one of service?.envVars ?? []) {
      expect(unknown(one, ["key", "value", "generateValue", "sync", "fromDatabase", "fromService"])).toEqual([]);
      expect(Object.keys(one)).toHaveLength(2);
    }
  });

  const schema = process.env["RENDER_SCHEMA"];
  test.skipIf(schema === undefined)("OP-08 fits the schema that Render publishes", () => {
    const validate = new Ajv({ strict: false, validateFormats: false }).compile(
      JSON.parse(readFileSync(schema ?? "", "utf8")),
    );
    validate(blueprint);
    expect(validate.errors ?? []).toEqual([]);
  });

  test("OP-08 migrates before each deployment, asks whether servers are ready, and waits for them to stop", () => {
    expect(service).toMatchObject({
      type: "web",
      runtime: "docker",
      numInstances: 2,
      healthCheckPath: "/readyz",
      preDeployCommand: "gatehouse migrate",
    });
    expect(Number(service?.["maxShutdownDelaySeconds"])).toBeGreaterThan(STOP_SECONDS);
  });

  test("OP-08 has a PostgreSQL that is tested, for the private network alone, and a secret that the host makes", () => {
    expect(Number(database?.["postgresMajorVersion"])).toBeGreaterThanOrEqual(15);
    expect(Number(database?.["postgresMajorVersion"])).toBeLessThanOrEqual(18);
    expect(database?.["ipAllowList"]).toEqual([]);
    expect(variable("DATABASE_URL")?.fromDatabase).toEqual({ name: database?.name, property: "connectionString" });
    expect(variable("GATEHOUSE_SECRET")).toEqual({ key: "GATEHOUSE_SECRET", generateValue: true });
    expect(SECRET_VARIABLES.filter((name) => variable(name)?.value !== undefined)).toEqual([]);
  });

  test("OP-08 OP-16 starts a server that is reached by https, sees its callers, and whose console is not public", () => {
    expect(blueprint.services).toHaveLength(1);
    const fixed = (service?.envVars ?? []).flatMap(({ key, value }) => (value === undefined ? [] : [[key, value]]));
    const settings = settingsOf({
      ...Object.fromEntries(fixed),
      GATEHOUSE_ISSUER: "https://gatehouse.onrender.com",
      GATEHOUSE_SECRET: SECRET,
      GATEHOUSE_ADMIN_EMAIL: "you@example.com",
      DATABASE_URL: "postgres://gatehouse:x@dpg-1-a/gatehouse",
      PORT: "10000",
    });
    expect(settings.adminUrl).toBe("http://localhost:3001");
    expect(settings.migrate).toBe("check");
    // What a caller claims, the caller, Cloudflare, Render.
    expect(callerBehind(settings, ["192.0.2.1", "198.51.100.7", "172.68.1.2", "10.17.3.4"])).toBe("198.51.100.7");
  });
});

describe("OP-08 fly.toml", () => {
  type Fly = {
    kill_signal: string;
    kill_timeout: string;
    build: { dockerfile: string; args: Record<string, string> };
    env: Record<string, string>;
    mounts: { source: string; destination: string };
    http_service: Record<string, unknown> & { checks: Record<string, string>[] };
    vm: object[];
  };
  const fly = parseToml(read("fly.toml")) as unknown as Fly;

  test("OP-08 has the fields that Fly's reference of its configuration has", () => {
    const known = "app primary_region kill_signal kill_timeout build env mounts http_service vm deploy processes";
    expect(unknown(fly, known.split(" "))).toEqual([]);
    expect(unknown(fly.build, ["dockerfile", "args", "image", "build-target"])).toEqual([]);
    expect(unknown(fly.mounts, ["source", "destination", "initial_size", "snapshot_retention"])).toEqual([]);
    const ofService = "internal_port force_https auto_stop_machines auto_start_machines min_machines_running checks";
    expect(unknown(fly.http_service, ofService.split(" "))).toEqual([]);
    const ofChecks = ["method", "path", "interval", "timeout", "grace_period"];
    for (const check of fly.http_service.checks) expect(unknown(check, ofChecks)).toEqual([]);
    for (const vm of fly.vm) expect(unknown(vm, ["size", "memory", "cpus", "cpu_kind"])).toEqual([]);
  });

  test("OP-08 keeps its data on a volume that the image can write to, and one machine running", () => {
    expect(fly.mounts.destination).toBe(/^VOLUME (.*)$/m.exec(read("Dockerfile"))?.[1]);
    for (const name of Object.keys(fly.build.args))
      expect(read("Dockerfile")).toMatch(new RegExp(`^ARG ${name}=`, "m"));
    expect(fly.http_service).toMatchObject({ auto_stop_machines: "off", min_machines_running: 1 });
  });

  test("OP-08 asks whether the server is ready, and waits for it to stop", () => {
    expect(fly.http_service).toMatchObject({ internal_port: 3000, force_https: true });
    expect(fly.http_service.checks.map(({ path }) => path)).toEqual(["/readyz"]);
    expect([fly.kill_signal, Number.parseInt(fly.kill_timeout, 10) > STOP_SECONDS]).toEqual(["SIGTERM", true]);
  });

  test("OP-08 OP-16 starts a server that sees its callers, without a public console or a secret in the file", () => {
    expect(SECRET_VARIABLES.filter((name) => name in fly.env)).toEqual([]);
    const settings = settingsOf({
      ...fly.env,
      GATEHOUSE_ISSUER: "https://gatehouse.fly.dev",
      GATEHOUSE_SECRET: SECRET,
      GATEHOUSE_DATA_DIR: "/data",
    });
    expect(settings.adminUrl).toBe("http://localhost:3001");
    // What a caller claims, the caller, the app's shared address, Fly's proxy.
    expect(callerBehind(settings, ["192.0.2.1", "198.51.100.7", "66.241.124.10", "172.16.3.4"])).toBe("198.51.100.7");
  });
});
