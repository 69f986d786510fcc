import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from "jose";

/** How the ID token is signed: correctly, with a key that is not published, with the client secret, or not at all. */
export type Signing = "RS256" | "other key" | "HS256" | "none";

/** What a test changes about the next answers. */
export type Forgery = {
  claims?: JWTPayload;
  /** Claims to leave out. */
  without?: readonly string[];
  signing?: Signing;
  userInfo?: Record<string, unknown>;
  /** Answers the userinfo request with this status, and with a challenge if it is 401. */
  userInfoStatus?: number;
  metadata?: Record<string, unknown>;
  /** Answers the token request with this status and body instead. */
  tokenError?: { status: number; body: string; type?: string };
  /** Never answers the token request. */
  silent?: boolean;
  /** JSON of other paths. */
  documents?: Record<string, unknown>;
};

/**
 * An OpenID provider on loopback that says whatever a test wants. It asks no user and remembers the last token request.
 */
export type UpstreamServer = {
  issuer: string;
  clientSecret: string;
  forge(forgery: Forgery): void;
  /** Paths requested so far. */
  requests: string[];
  tokenRequests: { form: URLSearchParams; authorization: string | undefined }[];
  close(): void;
};

const SECRET = "a-client-secret-of-the-upstream-0123456789";

/** `host`: `localhost` for browsers, which call every other host a third party. */
export async function startUpstreamServer(clientId: string, host = "127.0.0.1"): Promise<UpstreamServer> {
  const [own, other] = [await generateKeyPair("RS256"), await generateKeyPair("RS256")];
  const jwk = { ...(await exportJWK(own.publicKey)), kid: "one", alg: "RS256", use: "sig" };
  let forgery: Forgery = {};
  const requests: string[] = [];
  const tokenRequests: UpstreamServer["tokenRequests"] = [];
  let issuer = "";
  /** Of the last browser that came. */
  let nonce: string | undefined;

  async function idToken(): Promise<string> {
    const now = Math.floor(Date.now() / 1000);
    const all: JWTPayload = {
      iss: issuer,
      aud: clientId,
      sub: "upstream-user",
      ...(nonce !== undefined && { nonce }),
      iat: now,
      exp: now + 300,
      ...forgery.claims,
    };
    const claims = Object.fromEntries(Object.entries(all).filter(([name]) => !forgery.without?.includes(name)));
    switch (forgery.signing ?? "RS256") {
      case "none":
        return new UnsecuredJWT(claims).encode();
      case "HS256":
        return new SignJWT(claims).setProtectedHeader({ alg: "HS256" }).sign(Buffer.from(SECRET));
      case "other key":
        return new SignJWT(claims).setProtectedHeader({ alg: "RS256", kid: "one" }).sign(other.privateKey);
      case "RS256":
        return new SignJWT(claims).setProtectedHeader({ alg: "RS256", kid: "one" }).sign(own.privateKey);
    }
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? "/", issuer);
    requests.push(pathname);
    if (pathname === "/.well-known/openid-configuration") return json(response, metadataOf(issuer, forgery));
    if (pathname === "/authorize") return sendBack(request, response);
    if (pathname === "/jwks") return json(response, { keys: [jwk] });
    if (pathname === "/userinfo" && forgery.userInfoStatus !== undefined) {
      if (forgery.userInfoStatus === 401) response.setHeader("WWW-Authenticate", 'Bearer error="invalid_token"');
      return send(response, forgery.userInfoStatus, "{}");
    }
    if (pathname === "/userinfo")
      return json(response, { sub: forgery.claims?.sub ?? "upstream-user", ...forgery.userInfo });
    if (pathname === "/token") {
      tokenRequests.push({
        form: new URLSearchParams(await textOf(request)),
        authorization: request.headers.authorization,
      });
      const { silent, tokenError } = forgery;
      if (silent) return;
      if (tokenError) return send(response, tokenError.status, tokenError.body, tokenError.type);
      return json(response, { access_token: "upstream-access-token", token_type: "Bearer", id_token: await idToken() });
    }
    const document = forgery.documents?.[pathname];
    return document === undefined ? send(response, 404, "{}") : json(response, document);
  }

  /** A browser comes back at once. */
  function sendBack({ url = "" }: IncomingMessage, response: ServerResponse): void {
    const sent = new URL(url, issuer).searchParams;
    nonce = sent.get("nonce") ?? undefined;
    const answer = new URLSearchParams({ code: "a-code", state: sent.get("state") ?? "" });
    response.writeHead(302, { location: `${sent.get("redirect_uri")}?${answer}` }).end();
  }

  const server: Server = createServer((request, response) => {
    answer(request, response).catch(() => send(response, 500, "{}"));
  }).listen(0, host);
  await once(server, "listening");
  issuer = `http://${host}:${(server.address() as AddressInfo).port}`;
  return {
    issuer,
    clientSecret: SECRET,
    forge: (next) => {
      forgery = next;
    },
    requests,
    tokenRequests,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

function metadataOf(issuer: string, { metadata }: Forgery): Record<string, unknown> {
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    userinfo_endpoint: `${issuer}/userinfo`,
    end_session_endpoint: `${issuer}/end-session`,
    jwks_uri: `${issuer}/jwks`,
    response_types_supported: ["code"],
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: ["RS256", "HS256", "none"],
    ...metadata,
  };
}

const json = (response: ServerResponse, body: unknown) => send(response, 200, JSON.stringify(body));

function send(response: ServerResponse, status: number, body: string, type = "application/json"): void {
  response.writeHead(status, { "content-type": type }).end(body);
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}
