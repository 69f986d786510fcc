import { harmless } from "./harmless.ts";

// What a product sets of `@gatehouse/sdk`, by its client's registration.

/** Keeps users signed in: the SDK renews its tokens. */
export const OFFLINE = "offline_access";
/** The defaults of the SDK. */
const PATH = "/auth";
const SCOPE = `openid profile email ${OFFLINE}`;
const AFTER_SIGN_OUT = "/";
/** What the console knows of a client, as `QuickStartValues` has it. */
type Client = {
  issuer: string;
  clientId: string;
  redirectUri: string | null;
  postLogoutRedirectUri: string | null;
  scopes: readonly string[];
  rotation: boolean;
};

/**
 * The argument of `gatehouse()`: only where the registration differs from the SDK's defaults, which is what `gatehouse
 * init` registers. `path`: where the handlers are, as the redirect URI says.
 */
export function sdkOptions(
  path: string,
  { scopes, rotation, postLogoutRedirectUri }: Pick<Client, "scopes" | "rotation" | "postLogoutRedirectUri">,
): string {
  const afterSignOut = pathOf(postLogoutRedirectUri);
  const options = [
    ...(path === PATH ? [] : [text("path", path)]),
    ...(scopes.join(" ") === SCOPE ? [] : [text("scope", scopes.join(" "))]),
    ...(rotation ? ["rotation: true"] : []),
    ...(afterSignOut === AFTER_SIGN_OUT ? [] : [text("afterSignOut", afterSignOut)]),
  ];
  return options.length === 0 ? "" : `{ ${options.join(", ")} }`;
}

/** The variables but for the secret, as lines of an environment file. */
export function sdkVariables({
  issuer,
  clientId,
  redirectUri,
}: Pick<Client, "issuer" | "clientId" | "redirectUri">): string[] {
  return [
    `GATEHOUSE_ISSUER=${harmless(issuer)}`,
    `GATEHOUSE_CLIENT_ID=${harmless(clientId)}`,
    `GATEHOUSE_APP_URL=${appUrlOf(redirectUri ?? "")}`,
  ];
}

/** The origin of the program as browsers see it. */
export const appUrlOf = (redirectUri: string): string => (URL.canParse(redirectUri) ? new URL(redirectUri).origin : "");

function pathOf(uri: string | null): string {
  if (uri === null || !URL.canParse(uri)) return AFTER_SIGN_OUT;
  const { pathname, search } = new URL(uri);
  return pathname + search;
}

const text = (name: string, value: string) => `${name}: "${harmless(value)}"`;
