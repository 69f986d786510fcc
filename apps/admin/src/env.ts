import { z } from "zod";

const origin = z.string().refine((value) => URL.canParse(value) && new URL(value).origin === value && /^https?:/.test(value), {
  error: "must be a bare origin like https://id.example.com, without a path or a slash at the end",
});

const key = z
  .string("is not set: start the console with `npm run start:admin`, or copy both keys from `gatehouse console-keys`")
  .min(32, "must be 32 characters or longer, as `gatehouse console-keys` prints it");

const schema = z.object({
  GATEHOUSE_ISSUER: origin.optional(),
  GATEHOUSE_ADMIN_URL: origin.optional(),
  PORT: z.string().default("3000"),
  ADMIN_PORT: z.string().default("3001"),
  GATEHOUSE_CONSOLE_CLIENT_SECRET: key,
  GATEHOUSE_CONSOLE_COOKIE_KEY: key,
  NODE_ENV: z.string().optional(),
});

/** What the console knows of its surroundings. */
export type Env = {
  issuer: string;
  adminUrl: string;
  /** Served over https: cookies are Secure and carry the `__Host-` prefix. */
  secure: boolean;
  /** Served by `next dev`, whose scripts need `eval`. */
  development: boolean;
  /** Secret of the client `gatehouse-console`. */
  clientSecret: string;
  cookiePassword: string;
};

export const CLIENT_ID = "gatehouse-console";

let known: Env | undefined;

/**
 * Reads the environment at first use, so that a build needs none of it.
 * @throws Error with one clear message when a variable is missing or wrong.
 */
export function env(): Env {
  known ??= readEnv(process.env);
  return known;
}

/**
 * Empty variables count as absent. GATEHOUSE_SECRET is not among them: `start.mjs` derives the two keys from it, so that
 * whoever breaks into the console cannot open what the server has sealed.
 */
export function readEnv(variables: Record<string, string | undefined>): Env {
  const given = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== undefined && value !== ""));
  const parsed = schema.safeParse(given);
  if (!parsed.success) throw new Error(parsed.error.issues.map(({ path, message }) => `${path.join(".")} ${message}`).join("; "));

  const { PORT, ADMIN_PORT } = parsed.data;
  const issuer = parsed.data.GATEHOUSE_ISSUER ?? `http://localhost:${PORT}`;
  const adminUrl = parsed.data.GATEHOUSE_ADMIN_URL ?? `http://localhost:${ADMIN_PORT}`;
  return {
    issuer,
    adminUrl,
    secure: adminUrl.startsWith("https:"),
    development: parsed.data.NODE_ENV === "development",
    clientSecret: parsed.data.GATEHOUSE_CONSOLE_CLIENT_SECRET,
    cookiePassword: parsed.data.GATEHOUSE_CONSOLE_COOKIE_KEY,
  };
}
