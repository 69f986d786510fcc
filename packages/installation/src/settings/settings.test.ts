import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ownApiEnvironments } from "@gatehouse/auth";
import { SECRET_VARIABLES } from "@gatehouse/runtime/secret-files";
import { afterAll, expect, test } from "vitest";
import { readSettings } from "./settings.ts";
import { SETTING_TABLES } from "./table.ts";

const root = mkdtempSync(join(tmpdir(), "gatehouse-settings-"));
writeFileSync(join(root, "pnpm-workspace.yaml"), "");
const deep = join(root, "packages", "cli");
mkdirSync(deep, { recursive: true });
afterAll(() => rmSync(root, { recursive: true, force: true }));

const SECRET = "0123456789abcdef0123456789abcdef";

test("JT-02 tokens for the built-in API are JWTs only if configured", () => {
  const formatOf = (change: Record<string, string>) =>
    readSettings({ GATEHOUSE_SECRET: SECRET, ...change }, root).config.tokenFormat;
  expect(formatOf({})).toBeUndefined();
  expect(formatOf({ GATEHOUSE_API_TOKEN_FORMAT: "opaque" })).toBeUndefined();
  expect(formatOf({ GATEHOUSE_API_TOKEN_FORMAT: "jwt" })).toBe("jwt");
});

test("D22 the environments whose tokens the built-in API accepts are configured, or follow from the issuer", () => {
  const acceptedBy = (change: Record<string, string>) => {
    const { config } = readSettings({ GATEHOUSE_SECRET: SECRET, ...change }, root);
    return ownApiEnvironments(config).join(" ");
  };
  const HTTPS = { GATEHOUSE_ISSUER: "https://id.example.com" };
  expect(acceptedBy({})).toBe("development staging production");
  expect(acceptedBy(HTTPS)).toBe("production");
  expect(acceptedBy({ ...HTTPS, GATEHOUSE_API_ENVIRONMENTS: "production, staging,staging" })).toBe(
    "staging production",
  );
  expect(acceptedBy({ GATEHOUSE_API_ENVIRONMENTS: "production" })).toBe("production");
  expect(acceptedBy({ GATEHOUSE_API_ENVIRONMENTS: "" })).toBe("development staging production");
});

test("webhook handlers run in a process of their own, unless the variable says otherwise", () => {
  const handlersOf = (change: Record<string, string>) =>
    readSettings({ GATEHOUSE_SECRET: SECRET, ...change }, root).handlers;
  expect(handlersOf({})).toEqual({ place: "process", memoryMb: 512 });
  expect(handlersOf({ GATEHOUSE_HANDLERS: "inline", GATEHOUSE_HANDLERS_MB: "256" })).toEqual({
    place: "inline",
    memoryMb: 256,
  });
  expect(() => handlersOf({ GATEHOUSE_HANDLERS: "thread" })).toThrow("GATEHOUSE_HANDLERS must be process or inline");
  expect(() => handlersOf({ GATEHOUSE_HANDLERS_MB: "64" })).toThrow("GATEHOUSE_HANDLERS_MB");
});

test("PW-01 shorter passwords are possible once everybody has a second factor", () => {
  const read = (change: Record<string, string>) =>
    readSettings({ GATEHOUSE_SECRET: SECRET, GATEHOUSE_PASSWORD_MIN_LENGTH: "8", ...change }, root);
  expect(read({ GATEHOUSE_MFA: "required" }).passwords.leastCharacters).toBe(8);
  for (const change of [{}, { GATEHOUSE_MFA: "optional" }])
    expect(() => read(change)).toThrow(/GATEHOUSE_MFA=required/);
});

test("with nothing set: localhost, SQLite and a generated secret under the repository's root, wherever it is started", () => {
  const settings = readSettings({ GATEHOUSE_SECRET: "" }, deep);
  expect(settings).toMatchObject({
    config: {
      issuer: "http://localhost:3000",
      resource: "http://localhost:3000/api",
      registration: "closed",
      clientMetadataDocuments: true,
    },
    adminUrl: "http://localhost:3001",
    databaseUrl: `file:${join(root, ".data", "gatehouse.db")}`,
    secret: expect.stringMatching(/^[\w-]{43}$/),
  });
  expect(readSettings({}, root).secret).toBe(settings.secret);
  expect(statSync(join(root, ".data", "secret")).mode & 0o777).toBe(0o600);
});

test("without configured addresses, server and console use their ports", () => {
  expect(readSettings({ GATEHOUSE_SECRET: SECRET, PORT: "4600", ADMIN_PORT: "4601" }, root)).toMatchObject({
    config: { issuer: "http://localhost:4600" },
    adminUrl: "http://localhost:4601",
  });
});

test.each([
  ["a plain http issuer", { GATEHOUSE_ISSUER: "http://id.example.com" }, /GATEHOUSE_ISSUER must be https/],
  [
    "an issuer with a slash at the end",
    { GATEHOUSE_ISSUER: "https://id.example.com/" },
    /GATEHOUSE_ISSUER .*https:\/\/id\.example\.com$/,
  ],
  ["an issuer with a path", { GATEHOUSE_ISSUER: "https://id.example.com/auth" }, /GATEHOUSE_ISSUER .*without a path/],
  [
    "an issuer with a query",
    { GATEHOUSE_ISSUER: "https://id.example.com/?a=1" },
    /GATEHOUSE_ISSUER .*https:\/\/id\.example\.com$/,
  ],
  ["no URL", { GATEHOUSE_ADMIN_URL: "console" }, /GATEHOUSE_ADMIN_URL must be a URL/],
  [
    "an unknown token format",
    { GATEHOUSE_API_TOKEN_FORMAT: "paper" },
    /GATEHOUSE_API_TOKEN_FORMAT must be opaque or jwt/,
  ],
  ["a short secret", { GATEHOUSE_SECRET: "short" }, /GATEHOUSE_SECRET must be 32 bytes/],
  ["a port that is not a number", { PORT: "http" }, /PORT must be a port number/],
  ["an unknown database", { DATABASE_URL: "mysql://x" }, /DATABASE_URL must start with/],
  [
    "a direct URL of no PostgreSQL server",
    { DATABASE_DIRECT_URL: "file:x.db" },
    /DATABASE_DIRECT_URL must start with postgres:/,
  ],
  [
    "a direct URL beside a database file",
    { DATABASE_DIRECT_URL: "postgres://db/x" },
    /DATABASE_DIRECT_URL is for PostgreSQL only: set DATABASE_URL/,
  ],
  [
    "prepared statements that are neither on nor off",
    { DATABASE_PREPARE: "no" },
    /DATABASE_PREPARE must be auto, on or off/,
  ],
  [
    "an environment that does not exist",
    { GATEHOUSE_API_ENVIRONMENTS: "production,test" },
    /GATEHOUSE_API_ENVIRONMENTS must be a list of development, staging, production/,
  ],
  [
    "an empty list of environments",
    { GATEHOUSE_API_ENVIRONMENTS: "," },
    /GATEHOUSE_API_ENVIRONMENTS must be a list of development, staging, production/,
  ],
  [
    "a dangerous scheme",
    { GATEHOUSE_REGISTRATION_SCHEMES: "cursor,javascript" },
    /GATEHOUSE_REGISTRATION_SCHEMES must be .*"javascript" is none/,
  ],
  ["https as a private scheme", { GATEHOUSE_REGISTRATION_SCHEMES: "https" }, /GATEHOUSE_REGISTRATION_SCHEMES/],
  ["a scheme with a colon", { GATEHOUSE_REGISTRATION_SCHEMES: "cursor:" }, /GATEHOUSE_REGISTRATION_SCHEMES/],
  [
    "an unknown registration mode",
    { GATEHOUSE_REGISTRATION: "yes" },
    /GATEHOUSE_REGISTRATION must be closed, token, open/,
  ],
  [
    "a switch that is neither on nor off",
    { GATEHOUSE_CLIENT_METADATA_DOCUMENTS: "1" },
    /GATEHOUSE_CLIENT_METADATA_DOCUMENTS must be on or off/,
  ],
  [
    "no secret for a public issuer",
    { GATEHOUSE_ISSUER: "https://id.example.com", GATEHOUSE_SECRET: undefined },
    /GATEHOUSE_SECRET must be set/,
  ],
])("SE-01 rejects %s in one clear sentence", (_, change, message) => {
  expect(() => readSettings({ GATEHOUSE_SECRET: SECRET, ...change }, root)).toThrow(message);
});

test("after a move to https, the message says to reuse the generated secret, not to create another", () => {
  const variables = { GATEHOUSE_ISSUER: "https://id.example.com", GATEHOUSE_DATA_DIR: "moving" };
  expect(() => readSettings(variables, root)).toThrow(/for example from: openssl/);
  readSettings({ GATEHOUSE_DATA_DIR: "moving" }, root);
  const reuse = `set GATEHOUSE_SECRET to the content of ${join(root, "moving", "secret")}`;
  expect(() => readSettings(variables, root)).toThrow(reuse);
  expect(() => readSettings(variables, root)).not.toThrow(/openssl/);
});

test("OP-11 one error names every invalid variable, also those that do not go together, and ends with exit code 78", () => {
  const read = (variables: Record<string, string>) => () => readSettings(variables, root);
  expect(read({ GATEHOUSE_ISSUER: "x", DATABASE_URL: "y", WEB_CONCURRENCY: "all" })).toThrow(
    expect.objectContaining({
      exitCode: 78,
      message: expect.stringMatching(/GATEHOUSE_ISSUER.*DATABASE_URL.*WEB_CONCURRENCY/),
    }),
  );
  const together = {
    GATEHOUSE_ISSUER: "https://id.example.com",
    DATABASE_DIRECT_URL: "postgres://db/x",
    GATEHOUSE_SMTP_URL: "smtp://mail.example.com:587",
    GATEHOUSE_PASSWORD_MIN_LENGTH: "8",
  };
  expect(read(together)).toThrow(
    expect.objectContaining({
      exitCode: 78,
      problems: ["GATEHOUSE_SECRET", "DATABASE_DIRECT_URL", "GATEHOUSE_MAIL_FROM", "GATEHOUSE_PASSWORD_MIN_LENGTH"].map(
        (variable) => expect.objectContaining({ variable }),
      ),
    }),
  );
});

test("OP-12 the secrets that a file can hold are those of the tables", () => {
  const secrets = SETTING_TABLES.flatMap(({ table }) =>
    Object.entries(table).flatMap(([name, { secret }]) => (secret ? [name] : [])),
  );
  expect(secrets.toSorted()).toEqual([...SECRET_VARIABLES].toSorted());
});

test("a data folder that cannot be written: the error says what to set", () => {
  const file = join(root, "pnpm-workspace.yaml");
  expect(() => readSettings({ GATEHOUSE_DATA_DIR: file }, root)).toThrow(/secret cannot be stored.*GATEHOUSE_DATA_DIR/);
});

test("relative paths are relative to the repository's root", () => {
  const variables = { GATEHOUSE_SECRET: SECRET, DATABASE_URL: "file:data/x.db", GATEHOUSE_DATA_DIR: "elsewhere" };
  expect(readSettings(variables, deep)).toMatchObject({
    databaseUrl: `file:${join(root, "data/x.db")}`,
    dataDir: join(root, "elsewhere"),
  });
});
