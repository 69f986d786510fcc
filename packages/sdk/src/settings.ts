import type { JWK } from "jose";
import { environmentVariables } from "./env.ts";
import { GatehouseError } from "./error.ts";
import type { Environment, GatehouseOptions } from "./options.ts";

/** Of this app: where browsers reach it. */
export type AppUrl = {
  /** Scheme, host and port. */
  origin: string;
  /** The path in front of every URL of the app; empty if it has a host of its own. */
  basePath: string;
};

/** How this app proves to the server that it is the client. OAuth 2.1 §2.4. */
export type ClientCredential = { kind: "secret"; secret: string } | { kind: "key"; key: JWK };

/** What sessions and API protection both need. */
export type ServerSettings = {
  issuer: string;
  clientId: string;
  credential: ClientCredential;
  fetch: typeof fetch;
  /** Milliseconds, as `Date.now()`. */
  now: () => number;
  random: (bytes: number) => Uint8Array;
  onError: (error: GatehouseError) => void;
};

export type SessionSettings = ServerSettings & {
  /** Newest first. */
  cookieSecrets: readonly string[];
  /** The first is used for a request that names none of them. */
  apps: readonly [AppUrl, ...AppUrl[]];
  path: string;
  scope: string;
  environment: Environment | undefined;
  checkSeconds: number;
  afterSignOut: string;
} & Pick<GatehouseOptions, "store" | "problemPage"> & { rotation: boolean };

export type ApiSettings = ServerSettings & {
  resource: string;
  apiScopes: readonly string[];
  tokenCacheSeconds: number;
} & Pick<GatehouseOptions, "spendOnce">;

/** What an app is: it signs users in, or is an API with access tokens, or both. */
export type Roles = { signsIn: boolean; isApi: boolean };

const ENVIRONMENTS: readonly string[] = ["development", "staging", "production"] satisfies Environment[];
const LOOPBACK_HOSTS = ["localhost", "127.0.0.1", "[::1]"];
const MIN_SECRET_LENGTH = 32;
const MAX_CHECK_SECONDS = 60;
const MAX_TOKEN_CACHE_SECONDS = 10;

/**
 * Reads the settings of an app that signs users in, from the options and then the variables. PK-11, PK-12.
 *
 * @throws GatehouseError `configuration`, with everything that is missing or wrong and how to fix it.
 */
export function readSessionSettings(options: GatehouseOptions, variables = environmentVariables()): SessionSettings {
  const read = reader(options, variables);
  const server = readServer(read, options);
  const apps = readApps(read, options);
  const path = read.option("path", "/auth", isPlainPath, "must be a path like /auth, without a trailing slash");
  const scope = read.option(
    "scope",
    "openid profile email offline_access",
    isScope,
    "must be scopes separated by spaces",
  );
  const afterSignOut = read.option("afterSignOut", "/", isPathOfApp, "must be a path of this app, like /goodbye");
  const checkSeconds = options.check ?? 10;
  if (!(Number.isInteger(checkSeconds) && checkSeconds >= 0 && checkSeconds <= MAX_CHECK_SECONDS))
    read.problem(`The option check must be a whole number of seconds from 0 to ${MAX_CHECK_SECONDS}.`);
  if (options.environment !== undefined && !ENVIRONMENTS.includes(options.environment))
    read.problem(`The option environment must be one of ${ENVIRONMENTS.join(", ")}.`);
  const cookieSecrets = readCookieSecrets(read, options);
  read.finish();
  return {
    ...server,
    cookieSecrets,
    apps,
    path,
    scope,
    environment: options.environment,
    checkSeconds,
    rotation: options.rotation ?? false,
    store: options.store,
    afterSignOut,
    problemPage: options.problemPage,
  };
}

/**
 * Reads the settings of an API that checks access tokens. PK-11, PK-12.
 *
 * @throws GatehouseError `configuration`, as {@link readSessionSettings}.
 */
export function readApiSettings(options: GatehouseOptions, variables = environmentVariables()): ApiSettings {
  const read = reader(options, variables);
  const server = readServer(read, options);
  const resource = read.variable("resource", "GATEHOUSE_RESOURCE", "the identifier of this API, as registered");
  if (resource !== "") read.check(isSecureUrl(resource), "GATEHOUSE_RESOURCE", SECURE_URL);
  const { apiScopes = [], tokenCache: tokenCacheSeconds = 0, spendOnce } = options;
  if (!apiScopes.every((scope) => SCOPE_TOKEN.test(scope)))
    read.problem("The option apiScopes must be a list of scopes, each without spaces and quotes.");
  if (!(tokenCacheSeconds >= 0 && tokenCacheSeconds <= MAX_TOKEN_CACHE_SECONDS))
    read.problem(`The option tokenCache must be a number of seconds from 0 to ${MAX_TOKEN_CACHE_SECONDS}.`);
  read.finish();
  return { ...server, resource, apiScopes, tokenCacheSeconds, spendOnce };
}

/** An app without a resource identifier has no API, and one without an app URL only that. PK-11. */
export function rolesOf(options: GatehouseOptions, variables = environmentVariables()): Roles {
  const isSet = (...values: (string | undefined)[]) => values.some((value) => value !== undefined && value !== "");
  const isApi = isSet(options.resource, variables["GATEHOUSE_RESOURCE"]);
  const signsIn = isSet(options.appUrl, ...(options.appUrls ?? []), variables["GATEHOUSE_APP_URL"]);
  return { isApi, signsIn: signsIn || !isApi };
}

const SECURE_URL =
  "must be a URL like https://id.example.com, without a trailing slash, query or fragment; http is for localhost only";

type Reader = ReturnType<typeof reader>;

/** Collects every problem, so that one error has them all. */
function reader(options: GatehouseOptions, variables: Record<string, string | undefined>) {
  const problems: string[] = [];
  return {
    problem: (text: string) => problems.push(text),
    check(holds: boolean, name: string, fix: string): void {
      if (!holds) problems.push(`${name} ${fix}.`);
    },
    /** An option, otherwise its variable; "" if neither is set, which is a problem unless it is optional. */
    variable(option: keyof GatehouseOptions, name: string, what: string | undefined): string {
      const value = String(options[option] ?? variables[name] ?? "").trim();
      if (value === "" && what !== undefined) problems.push(`${name} is not set: ${what}.`);
      return value;
    },
    option(
      name: "path" | "scope" | "afterSignOut",
      fallback: string,
      isValid: (value: string) => boolean,
      fix: string,
    ) {
      const value = options[name] ?? fallback;
      if (!isValid(value)) problems.push(`The option ${name} ${fix}.`);
      return value;
    },
    finish(): void {
      if (problems.length === 0) return;
      const list = problems.map((problem) => `  - ${problem}`).join("\n");
      throw new GatehouseError("configuration", `Gatehouse is not configured:\n${list}\n${WHERE}`);
    },
  };
}

const WHERE =
  "Set the variables where this app runs, such as .env.local, or pass them as options of gatehouse(). " +
  "`npx @gatehouse/server init` registers this app and writes them.";

function readServer(read: Reader, options: GatehouseOptions): ServerSettings {
  const issuer = read.variable("issuer", "GATEHOUSE_ISSUER", "the URL of the Gatehouse server");
  if (issuer !== "") read.check(isSecureUrl(issuer), "GATEHOUSE_ISSUER", SECURE_URL);
  const clientId = read.variable("clientId", "GATEHOUSE_CLIENT_ID", "the id of this app's client in this environment");
  if (clientId !== "")
    read.check(/^[\x21-\x7e]+$/.test(clientId), "GATEHOUSE_CLIENT_ID", "must have no spaces or special characters");
  return {
    issuer,
    clientId,
    credential: readCredential(read, options),
    fetch: options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
    now: options.now ?? Date.now,
    random: options.random ?? ((bytes) => crypto.getRandomValues(new Uint8Array(bytes))),
    onError: options.onError ?? ((error) => console.error(`Gatehouse: ${error.message}`)),
  };
}

function readCredential(read: Reader, { clientKey }: GatehouseOptions): ClientCredential {
  if (clientKey) {
    if (typeof clientKey.alg !== "string" || typeof clientKey["d"] !== "string")
      read.problem("The option clientKey must be a private JWK with alg, and with kid if the client has several keys.");
    return { kind: "key", key: clientKey };
  }
  const [secret = ""] = secretsOf(
    read.variable("clientSecret", "GATEHOUSE_CLIENT_SECRET", "the secret that the console showed when it was made"),
  );
  return { kind: "secret", secret };
}

/** The keys of the cookies are derived from the client secret, unless there is none. PK-11. */
function readCookieSecrets(read: Reader, { clientKey }: GatehouseOptions): string[] {
  const own = read.variable(
    "cookieSecret",
    "GATEHOUSE_COOKIE_SECRET",
    clientKey && "a client with a key has no secret to derive cookie keys from; `openssl rand -base64 32` makes one",
  );
  const name = own === "" ? "GATEHOUSE_CLIENT_SECRET" : "GATEHOUSE_COOKIE_SECRET";
  const secrets = secretsOf(own === "" && !clientKey ? read.variable("clientSecret", name, undefined) : own);
  if (secrets.some((secret) => secret.length < MIN_SECRET_LENGTH))
    read.problem(`${name} must have at least ${MIN_SECRET_LENGTH} characters, since cookie keys are derived from it.`);
  return secrets;
}

/** `new,old`: newest first. */
const secretsOf = (value: string) =>
  value
    .split(",")
    .map((secret) => secret.trim())
    .filter(Boolean);

function readApps(read: Reader, { appUrls, appUrl }: GatehouseOptions): [AppUrl, ...AppUrl[]] {
  const listed = appUrls ?? (appUrl === undefined ? [] : [appUrl]);
  const urls = listed.length > 0 ? listed : [read.variable("appUrl", "GATEHOUSE_APP_URL", "the URL of this app")];
  for (const url of urls) if (url !== "") read.check(isSecureUrl(url), "GATEHOUSE_APP_URL", SECURE_URL);
  // Cookies are Secure for all addresses or for none.
  if (new Set(urls.filter(isSecureUrl).map((url) => new URL(url).protocol)).size > 1)
    read.problem("The option appUrls must not mix https and http.");
  const [first = { origin: "", basePath: "" }, ...more] = urls.filter(isSecureUrl).map(appUrlOf);
  return [first, ...more];
}

function appUrlOf(url: string): AppUrl {
  const { origin, pathname } = new URL(url);
  return { origin, basePath: pathname === "/" ? "" : pathname };
}

/** An absolute https URL, or http on loopback, in the one form that is compared. */
function isSecureUrl(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { protocol, hostname, href, search, hash, username, password } = new URL(value);
  if (protocol !== "https:" && !(protocol === "http:" && LOOPBACK_HOSTS.includes(hostname))) return false;
  return search + hash + username + password === "" && [value, `${value}/`].includes(href) && !value.endsWith("/");
}

const isPlainPath = (value: string) => /^(?:\/[A-Za-z0-9_-]+)+$/.test(value);
const isPathOfApp = (value: string) => /^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(value);
const SCOPE_TOKEN = /^[\x21\x23-\x5b\x5d-\x7e]+$/;
/** RFC 6749 §3.3. */
const isScope = (value: string) => /^[\x21\x23-\x5b\x5d-\x7e]+(?: [\x21\x23-\x5b\x5d-\x7e]+)*$/.test(value);
