import files from "./files.json" with { type: "json" };
import { harmless } from "./harmless.ts";
import {
  isLoopback,
  postLogoutRedirectUriFor,
  QUICK_STARTS,
  type QuickStartClient,
  type QuickStartName,
  redirectUriFor,
  SDK_PATH,
} from "./quick-starts.ts";
import { appUrlOf, OFFLINE, sdkOptions, sdkVariables } from "./sdk.ts";

/** The values that a quick start is filled with. */
export type QuickStartValues = {
  issuer: string;
  clientId: string;
  /** A registered redirect URI; null if the program uses none. */
  redirectUri: string | null;
  /** Where Gatehouse may send the browser after sign-out; null if nothing fitting is registered. */
  postLogoutRedirectUri: string | null;
  /** What the program requests, which is what it uses. */
  scopes: readonly string[];
  /** The client's refresh tokens rotate. */
  rotation: boolean;
  environment: string;
  /** The client authenticates with a secret. */
  confidential: boolean;
  /** The API that an MCP server is registered as, and the scope that it asks for. */
  resource?: { id: string; scope: string } | undefined;
};

export type RenderedFile = { path: string; text: string };
export type RenderedQuickStart = { label: string; install: string | null; run: string; files: RenderedFile[] };

/** The only name under which a quick start knows the secret. */
export const secretVariable = (name: QuickStartName): string =>
  QUICK_STARTS[name].sdk ? "GATEHOUSE_CLIENT_SECRET" : "CLIENT_SECRET";
/** Where a program listens behind the proxy that its https redirect URI belongs to. */
const DEFAULT_PORT = "4000";
/** About a user: they mean nothing without one. */
const IDENTITY_SCOPES = ["openid", "profile", "email", "address", "phone", OFFLINE];
/** What the programs show of a user. */
const SHOWN_SCOPES = ["openid", "profile", "email"];
/**
 * The values of a client, as it is registered; undefined if it lacks a URI that the program needs. `resource` is the API
 * of an MCP server. CO-21.
 */
export function quickStartValues(
  name: QuickStartName,
  client: QuickStartClient,
  { issuer, resource }: Pick<QuickStartValues, "issuer" | "resource">,
): QuickStartValues | undefined {
  const redirectUri = redirectUriFor(name, client.redirectUris);
  if (redirectUri === undefined) return undefined;
  const postLogoutRedirectUri = postLogoutRedirectUriFor(name, redirectUri, client.postLogoutRedirectUris);
  // The SDK always returns after sign-out. From an address that is not registered, Gatehouse would ask the user first.
  if (QUICK_STARTS[name].sdk && postLogoutRedirectUri === null) return undefined;
  return {
    issuer,
    clientId: client.clientId,
    redirectUri,
    postLogoutRedirectUri,
    scopes: usedScopes(name, client),
    rotation: client.options.rotateRefreshTokens !== false,
    environment: client.environment,
    confidential: client.type === "web" || client.type === "service",
    resource,
  };
}

/** Only programs with the SDK renew their tokens, and none requests an API that it does not call. */
function usedScopes(name: QuickStartName, { scopes, grantTypes }: QuickStartClient): string[] {
  const renews = QUICK_STARTS[name].sdk && grantTypes.includes("refresh_token");
  if (name !== "curl-service" && scopes.includes("openid"))
    return [...SHOWN_SCOPES, ...(renews ? [OFFLINE] : [])].filter((scope) => scopes.includes(scope));
  return scopes.filter((scope) => !IDENTITY_SCOPES.includes(scope));
}

/**
 * The files and commands of a quick start with a client's values. The secret is never among them: the files read it
 * from the environment variable {@link secretVariable}. A value with quotes or shell syntax is replaced by the text
 * "replace-this". CO-21.
 */
export function renderQuickStart(name: QuickStartName, values: QuickStartValues): RenderedQuickStart {
  const { label, install, run } = QUICK_STARTS[name];
  const known = placeholders(name, values);
  const fill = (text: string) => text.replace(/__([A-Z_]+?)__/g, (found, key: string) => known[key] ?? found);
  const rendered = Object.entries<string>(files[name]).map(([path, text]) => ({ path: fill(path), text: fill(text) }));
  // The program's own files first, then those that the framework wants in folders.
  const depth = ({ path }: RenderedFile) => path.split("/").length;
  return { label, install, run: fill(run), files: rendered.toSorted((a, b) => depth(a) - depth(b)) };
}

/**
 * The file that its program reads the secret from, undefined if it needs none. Without `secret` it has a placeholder.
 */
export function environmentFile(
  name: QuickStartName,
  values: Pick<QuickStartValues, "issuer" | "clientId" | "redirectUri" | "confidential">,
  secret = "paste-the-client-secret",
): RenderedFile | undefined {
  const { secret: hasSecret, sdk } = QUICK_STARTS[name];
  if (!(hasSecret && values.confidential)) return undefined;
  const lines = [...(sdk ? sdkVariables(values) : []), `${secretVariable(name)}=${secret}`];
  return { path: name === "nextjs" ? ".env.local" : ".env", text: `${lines.join("\n")}\n` };
}

/**
 * A quick start as one text, with instructions, for a coding assistant. It names the secret's variable, never the
 * secret. CO-21.
 */
export function assistantText(name: QuickStartName, values: QuickStartValues): string {
  const { label, install, run, files } = renderQuickStart(name, values);
  const environment = QUICK_STARTS[name].sdk ? environmentFile(name, values) : undefined;
  const all = environment ? [environment, ...files] : files;
  const facts = [
    `Issuer: ${values.issuer} (discovery at ${values.issuer}/.well-known/openid-configuration)`,
    `Client ID: ${values.clientId} (${values.environment})`,
    ...(values.redirectUri === null ? [] : [`Redirect URI, compared character by character: ${values.redirectUri}`]),
    ...(values.postLogoutRedirectUri === null
      ? []
      : [`Post-logout redirect URI, compared in the same way: ${values.postLogoutRedirectUri}`]),
    `Scopes: ${values.scopes.join(" ")}`,
    values.confidential
      ? `The client secret is in the environment variable ${secretVariable(name)}. Never write it into the code or send it to a browser.`
      : "The client has no secret. PKCE (S256) is required.",
  ];
  return [
    `Connect my app to Gatehouse, an OAuth 2.1 authorization server, with ${label}. The files below work; adapt them to my code.`,
    facts.map((fact) => `- ${fact}`).join("\n"),
    ...all.map(({ path, text }) => `${path}\n\`\`\`\n${text.trimEnd()}\n\`\`\``),
    [...(install === null ? [] : [`Install: ${install}`]), `Run: ${run}`].join("\n"),
  ].join("\n\n");
}

function placeholders(name: QuickStartName, values: QuickStartValues): Record<string, string> {
  const { issuer, clientId, environment, confidential } = values;
  const redirectUri = values.redirectUri ?? "";
  const { host, port, path } = partsOf(redirectUri);
  const scopes = values.scopes.join(" ");
  const [, authPath = "/auth"] = SDK_PATH.exec(path) ?? [];
  const all = {
    ISSUER: issuer,
    CLIENT_ID: clientId,
    REDIRECT_URI: redirectUri,
    POST_LOGOUT_REDIRECT_URI: values.postLogoutRedirectUri ?? "",
    SCOPES: scopes,
    ENVIRONMENT: environment,
    REDIRECT_URI_ENCODED: encodeURIComponent(redirectUri),
    SCOPES_ENCODED: encodeURIComponent(scopes),
    HOST: host,
    PORT: port,
    AUTH_PATH: authPath,
    AUTH_FOLDER: authPath.slice(1),
    // From app/<folder>/[...path], back to the folder of auth.js
    TO_ROOT: "../".repeat(authPath.split("/").length + 1),
    APP_URL: appUrlOf(redirectUri),
    RESOURCE: values.resource?.id ?? "",
    RESOURCE_SCOPE: values.resource?.scope ?? "",
  };
  const id = harmless(clientId);
  return {
    ...Object.fromEntries(Object.entries(all).map(([key, value]) => [key, harmless(value)])),
    SDK_OPTIONS: sdkOptions(authPath, values),
    CLIENT_AUTHENTICATION: confidential ? `-u "${id}:$${secretVariable(name)}"` : `-d "client_id=${id}"`,
    SECRET_HINT: confidential ? " Run it with the secret in the environment: env $(cat .env) sh sign-in.sh" : "",
    READ_ENV: confidential ? "env $(cat .env) " : "",
  };
}

/** Where the program listens: at its redirect URI, if that is on the developer's machine. */
function partsOf(redirectUri: string): { host: string; port: string; path: string } {
  if (!URL.canParse(redirectUri)) return { host: "localhost", port: DEFAULT_PORT, path: "" };
  const url = new URL(redirectUri);
  const usual = url.protocol === "http:" ? "80" : DEFAULT_PORT;
  return {
    host: isLoopback(url) ? url.hostname : "localhost",
    port: url.port === "" ? usual : url.port,
    path: url.pathname,
  };
}
