import type files from "./files.json";

export type QuickStartName = keyof typeof files;

/** What a quick start is for, and how its program is started. */
export type QuickStart = {
  label: string;
  /** The redirect URI that the framework expects on a developer's machine; null if it has none. */
  redirectUri: string | null;
  /** Puts the libraries there; null if none are needed. */
  install: string | null;
  run: string;
  /** The program has a client secret. */
  secret: boolean;
  /** The program uses the SDK, which is configured by variables and registered with a post-logout redirect URI. */
  sdk?: true;
  /** Whether the program can receive answers at this redirect URI; by default at each. */
  receives?: (uri: URL, text: string) => boolean;
  /** Completes "needs a redirect URI", for clients that have none that the program can receive. */
  needs?: string;
};

const LOOPBACK = ["localhost", "127.0.0.1"];
export const isLoopback = ({ hostname }: URL): boolean => LOOPBACK.includes(hostname);
const isHttp = ({ protocol, hostname }: URL) => /^https?:$/.test(protocol) && hostname !== "[::1]";
/** The library compares with, or sends, the URI as `URL` writes it, without a query. */
const isCanonical = (uri: URL, text: string) => isHttp(uri) && uri.href === text && uri.search === "";
/** `/<path>/callback`: the SDK receives answers nowhere else. Next serves no folder that begins with `_`. */
export const SDK_PATH = /^((?:\/[a-z0-9][\w-]*)+)\/callback$/i;
const isOfSdk = (uri: URL, text: string) =>
  isCanonical(uri, text) && (uri.protocol === "https:" || isLoopback(uri)) && SDK_PATH.test(uri.pathname);
const OF_SDK = {
  redirectUri: "http://localhost:4000/auth/callback",
  secret: true,
  sdk: true,
  receives: isOfSdk,
  needs: "whose path ends with /callback below another segment, because the SDK receives answers there",
} as const;
/** The first release puts the SDK into the npm registry. Until then nobody may install what has its name there. PK-09. */
const installWithSdk = (libraries: string) =>
  `# The SDK is not on npm yet: run "npm run pack" in your clone of Gatehouse, and put its path here.
npm install ${libraries} /path/to/gatehouse/dist/packages/gatehouse-sdk-*.tgz`;

/**
 * The quick starts. Each is a folder of `quick-starts/`, which tests run against a server. Those for Next.js and Express
 * use the SDK, the others show that any OAuth library works. CO-21, CO-22, PK-15.
 */
export const QUICK_STARTS: Record<QuickStartName, QuickStart> = {
  nextjs: {
    ...OF_SDK,
    label: "Next.js",
    install: installWithSdk("next react react-dom"),
    run: "npx next dev -H __HOST__ -p __PORT__",
  },
  express: {
    ...OF_SDK,
    label: "Express",
    install: installWithSdk("express"),
    run: "node --env-file=.env server.mjs",
  },
  python: {
    label: "Python",
    redirectUri: "http://localhost:4000/callback",
    install: null,
    run: "env $(cat .env) python3 app.py",
    secret: true,
    receives: isHttp,
    needs: "that starts with http or https",
  },
  react: {
    label: "React",
    redirectUri: "http://localhost:4000/callback",
    install: "npm install react react-dom oidc-client-ts vite @vitejs/plugin-react",
    run: "npx vite",
    secret: false,
    receives: isHttp,
    needs: "that starts with http or https",
  },
  cli: {
    label: "Node.js",
    redirectUri: null,
    install: "npm install openid-client",
    run: "node sign-in.mjs",
    secret: false,
  },
  "mcp-server": {
    label: "Node.js",
    redirectUri: "http://localhost:6274/oauth/callback",
    install: "npm install @modelcontextprotocol/sdk jose zod",
    run: "node server.mjs",
    secret: false,
  },
  "curl-code": {
    label: "curl",
    redirectUri: "http://localhost:4000/callback",
    install: null,
    run: "__READ_ENV__sh sign-in.sh",
    secret: true,
  },
  "curl-service": {
    label: "curl",
    redirectUri: null,
    install: null,
    run: "env $(cat .env) sh token.sh",
    secret: true,
  },
};

/** What the quick starts need to know of a client: its registration. */
export type QuickStartClient = {
  clientId: string;
  environment: string;
  type: "web" | "browser" | "native" | "service" | "device";
  grantTypes: readonly string[];
  redirectUris: readonly string[];
  postLogoutRedirectUris: readonly string[];
  scopes: readonly string[];
  options: {
    /** The APIs it may request tokens for. */
    resources?: readonly string[] | undefined;
    authentication?: string | undefined;
    requirePushedRequests?: boolean | undefined;
    dpopBound?: boolean | undefined;
    /** Default true. */
    rotateRefreshTokens?: boolean | undefined;
  };
};

const DEVICE_CODE = "urn:ietf:params:oauth:grant-type:device_code";
const OF_CODE: Partial<Record<QuickStartClient["type"], readonly QuickStartName[]>> = {
  web: ["nextjs", "express", "python", "curl-code"],
  browser: ["react"],
  native: ["curl-code"],
};
/** Get along without an ID token. */
const WITHOUT_OPENID: readonly QuickStartName[] = ["curl-code"];

/** The quick starts that work with a client as it is registered, the likeliest first. Empty if there is none. */
export function quickStartsFor({ type, grantTypes, scopes, options }: QuickStartClient): QuickStartName[] {
  const served = type === "native" && (options.resources ?? []).length > 0 ? (["mcp-server"] as const) : [];
  // The programs have neither keys nor pushed requests.
  if (options.authentication === "private_key_jwt" || options.dpopBound === true) return [...served];
  const code =
    grantTypes.includes("authorization_code") && options.requirePushedRequests !== true ? (OF_CODE[type] ?? []) : [];
  return [
    ...served,
    ...code.filter((name) => scopes.includes("openid") || WITHOUT_OPENID.includes(name)),
    // Its program is a public client, so it cannot authenticate as one with a secret.
    ...(grantTypes.includes(DEVICE_CODE) && (type === "device" || type === "native") ? (["cli"] as const) : []),
    ...(grantTypes.includes("client_credentials") && (type === "service" || type === "web")
      ? (["curl-service"] as const)
      : []),
  ];
}

/**
 * The registered redirect URI that the program receives answers at, one of the developer's own machine if there is one.
 * Null: the quick start uses none. Undefined: the client has none that it can use.
 */
export function redirectUriFor(name: QuickStartName, registered: readonly string[]): string | null | undefined {
  const { redirectUri, receives = () => true } = QUICK_STARTS[name];
  if (redirectUri === null) return null;
  const usable = registered.filter((text) => URL.canParse(text) && receives(new URL(text), text));
  return usable.find((text) => isLoopback(new URL(text))) ?? usable[0];
}

/**
 * Where Gatehouse may send the browser after sign-out: a registered address on the program's own origin, or null. The
 * program sends paths that it does not know to its first page, but Next.
 */
export function postLogoutRedirectUriFor(
  name: QuickStartName,
  redirectUri: string | null,
  registered: readonly string[],
): string | null {
  if (redirectUri === null || !URL.canParse(redirectUri)) return null;
  const { origin } = new URL(redirectUri);
  const own = registered.filter((uri) => URL.canParse(uri) && new URL(uri).origin === origin);
  return own.find((uri) => name !== "nextjs" || uri === `${origin}/`) ?? null;
}
