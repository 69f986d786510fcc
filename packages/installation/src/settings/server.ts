import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Config } from "@gatehouse/auth";
import { email } from "@gatehouse/console/fields";
import { isUrl } from "@gatehouse/runtime";
import { isLoopbackUrl } from "@gatehouse/runtime/loopback";
import { z } from "zod";
import { wrongSetting } from "./error.ts";
import { ensureSecretFile } from "./secret-file.ts";
import { type SettingsTable, shapeOf, TEXT } from "./setting.ts";

export type ServerSettings = {
  adminUrl: string;
  /** Where the server listens. */
  port: number;
  dataDir: string;
  /** GATEHOUSE_SECRET, or the secret generated in the data directory. Every key is derived from it. */
  secret: string;
  /** GATEHOUSE_SECRET_PREVIOUS: they open what they sealed, and seal nothing. OP-15. */
  previousSecrets: string[];
  /** A database that tells the place of an address, in the MaxMind DB format. */
  geoipFile: string | undefined;
  firstAdmin: { email: string | undefined; password: string | undefined };
  /** The data is made up: the console says so, and changes nothing. */
  demo: boolean;
};

/** An origin without a trailing slash; https, or http on loopback. SE-01, MD-02, RFC 8414 §2. */
const origin = z.string().superRefine((value, context) => {
  const tell = (message: string) => context.addIssue({ code: "custom", message });
  const url = isUrl(value) ? new URL(value) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) return tell("must be a URL like https://id.example.com");
  if (value !== url.origin) return tell(`must be a bare origin without a path or a slash at the end: ${url.origin}`);
  if (url.protocol === "http:" && !isLoopbackUrl(value))
    return tell("must be https; plain http is only for localhost, 127.0.0.1 and [::1]");
  return undefined;
});

const port = z
  .string()
  .regex(/^\d{1,5}$/, "must be a port number")
  .refine((value) => Number(value) <= 65_535, "must be a port number, at most 65535");

/** The console's start command reads the list in the same way. */
const listedSecrets = (value: string) =>
  value
    .split(value.includes("\n") ? "\n" : ",")
    .map((secret) => secret.trim())
    .filter((secret) => secret !== "");

export const SERVER_GROUP = { title: "This server", text: "Set in the environment, and in force after a restart." };

export const SERVER = {
  GATEHOUSE_ISSUER: {
    value: origin.optional(),
    docs: {
      default: "`http://localhost:<PORT>`",
      meaning: "the server's public address, exactly as clients use it; https unless it is loopback",
      example: "http://localhost:3000",
    },
    console: {
      section: "general",
      group: SERVER_GROUP,
      label: "Issuer",
      about: "This server’s public address. Clients and tokens name it, so it should never change.",
      input: TEXT,
      show: ({ config }) => config.issuer,
    },
  },
  GATEHOUSE_ADMIN_URL: {
    value: origin.optional(),
    docs: {
      default: "`http://localhost:<ADMIN_PORT>`",
      meaning: "the console's public address",
      example: "http://localhost:3001",
    },
    console: {
      section: "general",
      group: SERVER_GROUP,
      label: "Console address",
      about: "Where this console is reached.",
      input: TEXT,
      show: ({ adminUrl }) => adminUrl,
    },
  },
  PORT: {
    value: port.default("3000"),
    docs: { default: "`3000`", meaning: "the port that the server listens on", example: "3000" },
  },
  ADMIN_PORT: {
    value: port.default("3001"),
    docs: { default: "`3001`", meaning: "the port that the console listens on", example: "3001" },
  },
  GATEHOUSE_SECRET: {
    secret: true,
    value: z
      .string()
      .refine(
        (value) => Buffer.byteLength(value) >= 32,
        "must be 32 bytes or longer; make one with: openssl rand -base64 32",
      )
      .optional(),
    docs: {
      default: "generated into the data folder on loopback; required otherwise",
      meaning:
        "32 bytes or more, for example from `openssl rand -base64 32`; encrypts the secrets that must be read back",
      example: "",
    },
  },
  GATEHOUSE_SECRET_PREVIOUS: {
    secret: true,
    value: z
      .string()
      .transform(listedSecrets)
      .refine(
        (secrets) => secrets.every((secret) => Buffer.byteLength(secret) >= 32),
        "must be secrets of 32 bytes or longer, separated by commas; or each on a line of its own, if one has a comma",
      )
      .default([]),
    docs: {
      default: "none",
      meaning:
        "other secrets that still count, separated by commas, while [the secret is changed](operations.md#change-the-secret): " +
        "what they sealed opens, and nothing new is sealed with them",
      example: "",
    },
  },
  GATEHOUSE_DATA_DIR: {
    value: z.string().default(".data"),
    docs: { default: "`./.data`", meaning: "the folder of the SQLite file and the generated secret", example: ".data" },
  },
  GATEHOUSE_GEOIP_FILE: {
    value: z.string().optional(),
    docs: {
      default: "none",
      meaning:
        "a database of cities or countries in the MaxMind DB format, such as GeoLite2; the list of sessions then " +
        "says where each address is",
      example: "GeoLite2-City.mmdb",
    },
  },
  GATEHOUSE_ADMIN_EMAIL: {
    value: email.optional(),
    docs: {
      default: "`admin@example.com`",
      meaning:
        "the admin that the first start creates. If it is set, that admin is created whenever no account has the " +
        "address",
      example: "admin@example.com",
    },
  },
  GATEHOUSE_ADMIN_PASSWORD: {
    secret: true,
    value: z.string().optional(),
    docs: { default: "generated", meaning: "the password of that admin", example: "" },
  },
  GATEHOUSE_DEMO: {
    value: z.enum(["0", "1"], "must be 0 or 1").default("0"),
    docs: {
      default: "`0`",
      meaning: "`1`: the console says that its data is made up, and refuses every change; `npm run demo` sets it",
      example: "1",
    },
  },
} as const satisfies SettingsTable<Pick<ServerSettings, "adminUrl"> & { config: Config }>;

export const serverVariables = shapeOf(SERVER);

type Given = z.output<z.ZodObject<typeof serverVariables>>;

/** Where the server and the console are reached. */
export function addressesOf({ PORT, ADMIN_PORT, GATEHOUSE_ISSUER, GATEHOUSE_ADMIN_URL }: Given) {
  return {
    issuer: GATEHOUSE_ISSUER ?? `http://localhost:${PORT}`,
    adminUrl: GATEHOUSE_ADMIN_URL ?? `http://localhost:${ADMIN_PORT}`,
  };
}

/**
 * `root`: what relative paths are relative to. Generates the secret file if there is no secret and the issuer is http
 * on loopback.
 */
export function serverSettings(given: Given, root: string): ServerSettings {
  const { issuer, adminUrl } = addressesOf(given);
  const dataDir = resolve(root, given.GATEHOUSE_DATA_DIR);
  const secret = given.GATEHOUSE_SECRET ?? generatedSecret(issuer, dataDir);
  return {
    adminUrl,
    port: Number(given.PORT),
    dataDir,
    secret,
    previousSecrets: previousOf(secret, given.GATEHOUSE_SECRET_PREVIOUS),
    geoipFile: given.GATEHOUSE_GEOIP_FILE && resolve(root, given.GATEHOUSE_GEOIP_FILE),
    firstAdmin: { email: given.GATEHOUSE_ADMIN_EMAIL, password: given.GATEHOUSE_ADMIN_PASSWORD },
    demo: given.GATEHOUSE_DEMO === "1",
  };
}

function previousOf(secret: string, previous: string[]): string[] {
  if (!previous.includes(secret)) return previous;
  throw wrongSetting("GATEHOUSE_SECRET_PREVIOUS", "must not name the value of GATEHOUSE_SECRET: leave it out");
}

function generatedSecret(issuer: string, dataDir: string): string {
  if (isLoopbackUrl(issuer) && issuer.startsWith("http:")) return ensureSecretFile(dataDir);
  const file = join(dataDir, "secret");
  if (existsSync(file))
    throw wrongSetting(
      "GATEHOUSE_SECRET",
      `must be set for ${issuer}. This installation has a generated one, and its database opens with no other: ` +
        `set GATEHOUSE_SECRET to the content of ${file}`,
    );
  throw wrongSetting(
    "GATEHOUSE_SECRET",
    `must be set for ${issuer}: 32 bytes or more, for example from: openssl rand -base64 32`,
  );
}
