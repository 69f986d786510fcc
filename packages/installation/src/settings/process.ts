import { isLoopbackUrl, LOOPBACK_ADDRESSES } from "@gatehouse/runtime/loopback";
import { readTlsFiles, type TlsFiles } from "@gatehouse/runtime/tls";
import { readTrustedProxies, type TrustedProxies } from "@gatehouse/runtime/trusted-proxies";
import { z } from "zod";
import { wrongSetting } from "./error.ts";
import { type SettingsTable, shapeOf, wholeNumber } from "./setting.ts";

const PORT_NUMBER = "must be a port number, at most 65535, or 0 for none";
const OPS_PORT = 9464;
const LOG_LEVELS = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;

/** How the server's processes serve. Nothing but the log level and the certificate changes before they end. OP-17 */
export type ProcessSettings = {
  /** Addresses to listen on: loopback only if the issuer is on loopback, otherwise all. */
  hosts: readonly string[];
  /** The number of serving processes. */
  workers: number;
  /** Reverse proxies that say who the caller is. OP-16 */
  trustedProxies: TrustedProxies | undefined;
  /** Where metrics and details are served; undefined: nowhere. OP-73 */
  ops: { host: string; port: number; isDefault: boolean } | undefined;
  logLevel: (typeof LOG_LEVELS)[number];
  /** Where rows of the audit log and events of accounts go besides the database. OP-78 */
  auditLog: "off" | "stdout";
  /** The certificate and key of a server with its own TLS; undefined behind a proxy that has it. OP-95 */
  tls: TlsFiles | undefined;
  /** The maximum of requests that each process works on at once. OP-31 */
  maxInFlight: number;
};

export const PROCESSES = {
  HOST: {
    value: z.string().optional(),
    docs: {
      default: "both loopback addresses while the issuer is on loopback, `0.0.0.0` otherwise",
      meaning: "the address to listen on; `::` includes IPv6",
      example: "127.0.0.1",
    },
  },
  WEB_CONCURRENCY: {
    value: wholeNumber("processes", 1, 128).value.default(1),
    docs: {
      default: "`1`",
      meaning: "number of serving processes on one database; use the number of cores",
      example: "1",
    },
  },
  GATEHOUSE_TLS_CERT_FILE: {
    value: z.string().optional(),
    docs: {
      default: "none: TLS ends at a proxy",
      meaning:
        "a certificate with its chain, in PEM. The server and the console then serve https themselves, redirect plain " +
        "HTTP and read the file again when it changes",
      example: "/etc/gatehouse/fullchain.pem",
    },
  },
  GATEHOUSE_TLS_KEY_FILE: {
    value: z.string().optional(),
    docs: {
      default: "none",
      meaning: "its private key, in PEM, which other users cannot read",
      example: "/etc/gatehouse/privkey.pem",
    },
  },
  GATEHOUSE_TRUST_PROXY: {
    value: z.enum(["0", "1"], "must be 0 or 1").default("0"),
    docs: {
      default: "`0`",
      meaning:
        "`1` behind one reverse proxy in a private network: the caller's address is the last hop of `X-Forwarded-For`, and " +
        "`X-Request-Id` names the request in the audit log. Without it or the list below, all callers share every limit",
      example: "1",
    },
  },
  GATEHOUSE_TRUSTED_PROXIES: {
    value: z.string().optional(),
    docs: {
      default: "none",
      meaning:
        "the addresses and networks of your reverse proxies, like `10.0.0.0/8,2001:db8::/32`. Their `X-Forwarded-For` is " +
        "read from the right, past all that are listed; what others claim does not count. Instead of the switch above",
      example: "10.0.0.0/8",
    },
  },
  GATEHOUSE_OPS_PORT: {
    value: z
      .string()
      .regex(/^\d{1,5}$/, PORT_NUMBER)
      .refine((value) => Number(value) <= 65_535, PORT_NUMBER)
      .optional(),
    docs: {
      default: "`9464`; if another program has it, none, with a warning",
      meaning:
        "the port of [metrics and details](operations.md#metrics-and-alerts), which no caller of the server may reach; `0`: none",
      example: "9464",
    },
  },
  GATEHOUSE_OPS_HOST: {
    value: z.string().default("127.0.0.1"),
    docs: {
      default: "`127.0.0.1`",
      meaning:
        "the address that this port listens on. Beyond loopback everybody who reaches it can read the metrics: leave it to " +
        "a private network",
      example: "127.0.0.1",
    },
  },
  LOG_LEVEL: {
    value: z.enum(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(", ")}`).default("info"),
    docs: {
      default: "`info`",
      meaning:
        "`fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`; SIGHUP [reads it again](operations.md#configuration). " +
        "Logs are JSON lines on stdout. Refused, failed " +
        "and slow ones are logged at `info`, all others at `debug` ([what a line has](operations.md#logs))",
      example: "info",
    },
  },
  GATEHOUSE_AUDIT_LOG: {
    value: z.enum(["off", "stdout"], "must be off or stdout").default("off"),
    docs: {
      default: "`off`",
      meaning:
        "`stdout` writes the rows of the audit log and what users do with their accounts as JSON lines to stdout, whatever the " +
        "level of the log ([the lines](audit-log.md#send-the-rows-to-a-log-shipper))",
      example: "stdout",
    },
  },
  GATEHOUSE_MAX_IN_FLIGHT: {
    value: wholeNumber("requests", 16, 100_000).value.default(512),
    docs: {
      default: "`512`",
      meaning:
        "requests that each process works on at once; those beyond it get 503 " +
        "([overload](operations.md#when-there-is-too-much-to-do))",
      example: "512",
    },
  },
  GATEHOUSE_DRAIN_SECONDS: {
    value: wholeNumber("seconds", 0, 3_600).value.optional(),
    docs: {
      default: "`5`; `0` while the issuer is on loopback",
      meaning:
        "seconds that a stopping server keeps serving, so that the load balancer notices `/readyz` " +
        "([stopping](operations.md#stop-and-restart))",
      example: "5",
    },
  },
  GATEHOUSE_STOP_SECONDS: {
    value: wholeNumber("seconds", 0, 3_600).value.optional(),
    docs: {
      default: "`25`",
      meaning: "seconds after which a stopping server cuts open connections",
      example: "25",
    },
  },
  GATEHOUSE_ENV_FILE: {
    value: z.string().optional(),
    docs: { default: "`.env`", meaning: "another settings file, or `off` for none" },
  },
  GATEHOUSE_CONSOLE_CLIENT_SECRET: {
    value: z.string().optional(),
    secret: true,
    docs: {
      default: "derived from `GATEHOUSE_SECRET`",
      meaning:
        "the console's own secret as a client; set it for a [console on another " +
        "machine](../SECURITY.md#the-console-on-another-machine)",
      example: "",
    },
  },
  GATEHOUSE_CONSOLE_COOKIE_KEY: {
    value: z.string().optional(),
    secret: true,
    docs: {
      default: "derived from `GATEHOUSE_SECRET`",
      meaning: "the key that seals the console's cookies; set it together with the secret above",
      example: "",
    },
  },
} as const satisfies SettingsTable<ProcessSettings>;

export const processVariables = shapeOf(PROCESSES);

type Given = z.output<z.ZodObject<typeof processVariables>>;

/** Throws SettingsError. */
export function processSettings(given: Given, issuer: string, root: string): ProcessSettings {
  return {
    hosts: given.HOST === undefined ? defaultHosts(issuer) : [given.HOST],
    workers: given.WEB_CONCURRENCY,
    trustedProxies: trustedProxiesOf(given),
    ops: opsOf(given),
    tls: tlsFilesOf(given, issuer, root),
    logLevel: given.LOG_LEVEL,
    auditLog: given.GATEHOUSE_AUDIT_LOG,
    maxInFlight: given.GATEHOUSE_MAX_IN_FLIGHT,
  };
}

function opsOf({ GATEHOUSE_OPS_PORT: port, GATEHOUSE_OPS_HOST: host }: Given): ProcessSettings["ops"] {
  if (port === undefined) return { host, port: OPS_PORT, isDefault: true };
  return Number(port) === 0 ? undefined : { host, port: Number(port), isDefault: false };
}

function trustedProxiesOf({ GATEHOUSE_TRUST_PROXY, GATEHOUSE_TRUSTED_PROXIES }: Given): TrustedProxies | undefined {
  return namingVariable(() => readTrustedProxies({ GATEHOUSE_TRUST_PROXY, GATEHOUSE_TRUSTED_PROXIES }));
}

function tlsFilesOf({ GATEHOUSE_TLS_CERT_FILE, GATEHOUSE_TLS_KEY_FILE }: Given, issuer: string, root: string) {
  return namingVariable(() => readTlsFiles({ GATEHOUSE_TLS_CERT_FILE, GATEHOUSE_TLS_KEY_FILE }, issuer, root));
}

/** The error of a reader that says what is wrong in a sentence that begins with the variable. */
function namingVariable<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    const [variable = "", ...words] = (error as Error).message.split(" ");
    throw wrongSetting(variable, words.join(" "));
  }
}

/** Both loopback addresses, since `localhost` can mean either. */
function defaultHosts(issuer: string): readonly string[] {
  return isLoopbackUrl(issuer) ? LOOPBACK_ADDRESSES : ["0.0.0.0"];
}
