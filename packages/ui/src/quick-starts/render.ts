import files from "./files.json" with { type: "json" };
import { QUICK_STARTS, type QuickStartName } from "./quick-starts.ts";

/** The values that a quick start is filled with. */
export type QuickStartValues = {
  issuer: string;
  clientId: string;
  /** A registered redirect URI; null if the client has none. */
  redirectUri: string | null;
  scopes: readonly string[];
  environment: string;
  /** The client authenticates with a secret. */
  confidential: boolean;
  /** The API that an MCP server is registered as, and the scope that it asks for. */
  resource?: { id: string; scope: string } | undefined;
};

export type RenderedFile = { path: string; text: string };
export type RenderedQuickStart = { label: string; install: string | null; run: string; files: RenderedFile[] };

/** The only name under which a quick start knows the secret. */
export const SECRET_VARIABLE = "CLIENT_SECRET";
const DEFAULT_PORT = "4000";
/** Identity scopes mean nothing without a user. */
const IDENTITY_SCOPES = ["openid", "profile", "email", "address", "phone", "offline_access"];
/** Characters that are harmless inside every kind of quotes in the files, shell included. */
const HARMLESS = /^[\w\-.~:/?#[\]@!&()*+,;=% ]*$/;

/**
 * The files and commands of a quick start with a client's values. The secret is never among them: the files read it
 * from the environment variable {@link SECRET_VARIABLE}. A value with quotes or shell syntax is replaced by the text
 * "replace-this". CO-21.
 */
export function renderQuickStart(name: QuickStartName, values: QuickStartValues): RenderedQuickStart {
  const { label, install, run } = QUICK_STARTS[name];
  const known = placeholders(name, values);
  const fill = (text: string) => text.replace(/__([A-Z_]+?)__/g, (found, key: string) => known[key] ?? found);
  const rendered = Object.entries<string>(files[name]).map(([path, text]) => ({ path, text: fill(text) }));
  // The program's own files first, then those that the framework wants in folders.
  const depth = ({ path }: RenderedFile) => path.split("/").length;
  return { label, install, run: fill(run), files: rendered.toSorted((a, b) => depth(a) - depth(b)) };
}

/** The content of the `.env` file; without the secret, a hint where it comes from. */
export function envFile(secret = "<the client secret>"): string {
  return `${SECRET_VARIABLE}=${secret}\n`;
}

/**
 * The file that its program reads the secret from, undefined if it needs none. Without `secret` it says where the
 * secret goes. `random`: at least 32 random characters, for frameworks that encrypt their cookies.
 */
export function environmentFile(
  name: QuickStartName,
  { redirectUri, confidential }: Pick<QuickStartValues, "redirectUri" | "confidential">,
  secret?: string,
  random = "<any 32 random characters>",
): RenderedFile | undefined {
  if (!(QUICK_STARTS[name].secret && confidential)) return undefined;
  if (name !== "nextjs") return { path: ".env", text: envFile(secret) };
  const origin =
    redirectUri !== null && URL.canParse(redirectUri) ? new URL(redirectUri).origin : "http://localhost:4000";
  return { path: ".env.local", text: `${envFile(secret)}AUTH_SECRET=${random}\nAUTH_URL=${origin}\n` };
}

/**
 * A quick start as one text, with instructions, for a coding assistant. It names the secret's variable, never the
 * secret. CO-21.
 */
export function assistantText(name: QuickStartName, values: QuickStartValues): string {
  const { label, install, run, files } = renderQuickStart(name, values);
  const facts = [
    `Issuer: ${values.issuer} (discovery at ${values.issuer}/.well-known/openid-configuration)`,
    `Client ID: ${values.clientId} (${values.environment})`,
    ...(values.redirectUri === null ? [] : [`Redirect URI, compared character by character: ${values.redirectUri}`]),
    `Scopes: ${values.scopes.join(" ")}`,
    values.confidential
      ? `The client secret is in the environment variable ${SECRET_VARIABLE}. Never write it into the code or send it to a browser.`
      : "The client has no secret. PKCE (S256) is required.",
  ];
  return [
    `Connect my app to Gatehouse, an OAuth 2.1 authorization server, with ${label}. The files below work; adapt them to my code.`,
    facts.map((fact) => `- ${fact}`).join("\n"),
    ...files.map(({ path, text }) => `${path}\n\`\`\`\n${text.trimEnd()}\n\`\`\``),
    [...(install === null ? [] : [`Install: ${install}`]), `Run: ${run}`].join("\n"),
  ].join("\n\n");
}

function placeholders(name: QuickStartName, values: QuickStartValues): Record<string, string> {
  const { issuer, clientId, environment, confidential } = values;
  const redirectUri = values.redirectUri ?? "";
  const service = name === "curl-service";
  const scopes = values.scopes.filter((scope) => !service || !IDENTITY_SCOPES.includes(scope)).join(" ");
  const all = {
    ISSUER: issuer,
    CLIENT_ID: clientId,
    REDIRECT_URI: redirectUri,
    SCOPES: scopes,
    ENVIRONMENT: environment,
    REDIRECT_URI_ENCODED: encodeURIComponent(redirectUri),
    SCOPES_ENCODED: encodeURIComponent(scopes),
    PORT: portOf(redirectUri),
    RESOURCE: values.resource?.id ?? "",
    RESOURCE_SCOPE: values.resource?.scope ?? "",
  };
  const harmless = Object.entries(all).map(([key, value]) => [key, HARMLESS.test(value) ? value : "replace-this"]);
  const id: string = HARMLESS.test(clientId) ? clientId : "replace-this";
  return {
    ...Object.fromEntries(harmless),
    CLIENT_AUTHENTICATION: confidential ? `-u "${id}:$${SECRET_VARIABLE}"` : `-d "client_id=${id}"`,
    SECRET_HINT: confidential ? " Run it with the secret in the environment: env $(cat .env) sh sign-in.sh" : "",
    READ_ENV: confidential ? "env $(cat .env) " : "",
  };
}

function portOf(redirectUri: string): string {
  const port = URL.canParse(redirectUri) ? new URL(redirectUri).port : "";
  return port === "" ? DEFAULT_PORT : port;
}
