import { isLoopbackUrl } from "@gatehouse/runtime/loopback";
import { z } from "zod";

const origin = z
  .string()
  .refine((value) => URL.canParse(value) && new URL(value).origin === value && /^https?:/.test(value), {
    error: "must be an origin like https://id.example.com, without a path or trailing slash",
    abort: true,
  })
  .refine((value) => value.startsWith("https:") || isLoopbackUrl(value), {
    error: "must be https; plain http is only for localhost, 127.0.0.1 and [::1]",
  });

const key = z
  .string(
    "is not set: start the console with `npm run start:admin`, or set both keys that `gatehouse console-keys` prints",
  )
  .min(32, "must have at least 32 characters: use the value that `gatehouse console-keys` prints");

const schema = z.object({
  GATEHOUSE_ISSUER: origin.optional(),
  GATEHOUSE_ADMIN_URL: origin.optional(),
  PORT: z.string().default("3000"),
  ADMIN_PORT: z.string().default("3001"),
  GATEHOUSE_CONSOLE_CLIENT_SECRET: key,
  GATEHOUSE_CONSOLE_COOKIE_KEY: key,
  NODE_ENV: z.string().optional(),
});

/** The console's configuration. */
export type Env = {
  issuer: string;
  adminUrl: string;
  /** Served over https: cookies are Secure and carry the `__Host-` prefix. */
  secure: boolean;
  /** Running under `next dev`, whose scripts need `eval`. */
  development: boolean;
  /** The secret of the client `gatehouse-console`. */
  clientSecret: string;
  /** The keys of its cookies are derived from this; `new,old` while GATEHOUSE_SECRET is changed. */
  cookieSecret: string;
};

export const CLIENT_ID = "gatehouse-console";

let cached: Env | undefined;

/**
 * The configuration, read from the environment on first use, so that a build needs no variables.
 * @throws Error that names every missing or invalid variable.
 */
export function env(): Env {
  cached ??= readEnv(process.env);
  return cached;
}

/**
 * Parses `variables`; an empty variable counts as unset. GATEHOUSE_SECRET is not read: `start.mjs` derives the two keys
 * from it, so an attacker in the console's process cannot decrypt what the server encrypts.
 */
export function readEnv(variables: Record<string, string | undefined>): Env {
  const given = Object.fromEntries(
    Object.entries(variables).filter(([, value]) => value !== undefined && value !== ""),
  );
  const parsed = schema.safeParse(given);
  if (!parsed.success)
    throw new Error(parsed.error.issues.map(({ path, message }) => `${path.join(".")} ${message}`).join("; "));

  const { PORT, ADMIN_PORT } = parsed.data;
  const issuer = parsed.data.GATEHOUSE_ISSUER ?? `http://localhost:${PORT}`;
  const adminUrl = parsed.data.GATEHOUSE_ADMIN_URL ?? `http://localhost:${ADMIN_PORT}`;
  return {
    issuer,
    adminUrl,
    secure: adminUrl.startsWith("https:"),
    development: parsed.data.NODE_ENV === "development",
    clientSecret: parsed.data.GATEHOUSE_CONSOLE_CLIENT_SECRET,
    cookieSecret: parsed.data.GATEHOUSE_CONSOLE_COOKIE_KEY,
  };
}
