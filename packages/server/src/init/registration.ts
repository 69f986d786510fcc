import { applyEdits, modify } from "jsonc-parser";
import { parseJson } from "./project.ts";

export const CONFIGURATION = "gatehouse.json";
/** What a product's client may request. `offline_access` keeps users signed in. PK-23 */
const SCOPES = ["openid", "profile", "email", "offline_access"];

export type Environment = "development" | "staging" | "production";
/** Where the product runs, by environment, as origins. */
export type AppUrls = Partial<Record<Environment, string>>;
export type Registration = { name: string; urls: AppUrls; scopes: readonly string[] };

/** `shop-dev`, `shop-staging`, `shop`: one client for each environment. */
export function clientIdOf(name: string, environment: Environment): string {
  const slug =
    name
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, "-")
      .replaceAll(/^-+|-+$/g, "")
      .slice(0, 40) || "app";
  return environment === "production" ? slug : `${slug}-${environment === "development" ? "dev" : environment}`;
}

/** A client with the exact addresses of the product. PK-22, PK-23 */
function clientOf(clientId: string, url: string, scopes: readonly string[]): object {
  return {
    client_id: clientId,
    type: "web",
    first_party: true,
    redirect_uris: [`${url}/auth/callback`],
    post_logout_redirect_uris: [`${url}/`],
    backchannel_logout_uri: `${url}/auth/backchannel-logout`,
    rotate_refresh_tokens: false,
    id_token_algorithm: "ES256",
    scopes: [...SCOPES, ...scopes],
  };
}

type File = { applications?: { name?: string; environments?: Record<string, { client_id?: string }> }[] };

/**
 * The configuration file with a client for each environment that has a URL: a new file, or what is there with the
 * missing clients added. Undefined if it is there and has another application instead. PK-22
 * @param text What the file has now.
 * @param developmentId The client that the product has in development.
 */
export function configurationWith(
  text: string | undefined,
  developmentId: string,
  { name, urls, scopes }: Registration,
): string | undefined {
  const wanted = Object.entries(urls) as [Environment, string][];
  const idOf = (environment: Environment) =>
    environment === "development" ? developmentId : clientIdOf(name, environment);
  if (text === undefined) {
    const clients = wanted.map(([environment, url]) => [environment, clientOf(idOf(environment), url, scopes)]);
    return `${JSON.stringify({ applications: [{ name, environments: Object.fromEntries(clients) }] }, null, 2)}\n`;
  }
  const { applications = [] } = parseJson(CONFIGURATION, text) as File;
  const at = applications.findIndex(({ environments }) => environments?.["development"]?.client_id === developmentId);
  const application = applications[at];
  if (application === undefined) return undefined;
  return wanted
    .filter(([environment]) => application.environments?.[environment] === undefined)
    .reduce((before, [environment, url]) => {
      const place = ["applications", at, "environments", environment];
      const client = clientOf(idOf(environment), url, scopes);
      return applyEdits(
        before,
        modify(before, place, client, { formattingOptions: { tabSize: 2, insertSpaces: true } }),
      );
    }, text);
}
