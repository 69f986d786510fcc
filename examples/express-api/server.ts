// An Express API that accepts access tokens from Gatehouse: by introspection (opaque tokens), or by signature (JWTs).
import express, { type NextFunction, type Request, type Response } from "express";
import { createRemoteJWKSet, jwtVerify } from "jose";

const {
  ISSUER = "http://localhost:3000",
  CLIENT_ID = "example-stock-api",
  CLIENT_SECRET = "",
  PORT = "4200",
} = process.env;
/** The id under which this API is registered. Tokens name it as their audience. */
const RESOURCE = process.env["RESOURCE"] ?? `http://localhost:${PORT}`;
/**
 * Accept tokens of these environments only: a development client must not open a production API. All of them on one
 * machine.
 */
const ALL = "development,staging,production";
const ENVIRONMENTS = (process.env["ENVIRONMENTS"] ?? (ISSUER.startsWith("http:") ? ALL : "production")).split(",");
const METADATA_PATH = "/.well-known/oauth-protected-resource";

type Token = { aud?: unknown; sub?: unknown; scope?: unknown; environment?: unknown; cnf?: unknown };
type Check = (token: string) => Promise<Token | undefined>;

/** Asks Gatehouse about the token, so that a revoked one is rejected at the next request. RFC 7662. */
const introspect: Check = async (token) => {
  const credentials = Buffer.from(`${encodeURIComponent(CLIENT_ID)}:${encodeURIComponent(CLIENT_SECRET)}`).toString(
    "base64",
  );
  const response = await fetch(`${ISSUER}/introspect`, {
    method: "POST",
    headers: { authorization: `Basic ${credentials}` },
    body: new URLSearchParams({ token }),
    signal: AbortSignal.timeout(5000),
  });
  if (!response.ok) throw new Error(`introspection answered ${response.status}`);
  const answer = (await response.json()) as Token & { active: boolean };
  return answer.active ? answer : undefined;
};

const keys = createRemoteJWKSet(new URL(`${ISSUER}/.well-known/jwks.json`));

/**
 * Verifies signature, issuer, audience, type and expiry without a request per token. A revoked token works until it
 * expires. RFC 9068 §4.
 */
const verify: Check = (token) =>
  jwtVerify(token, keys, { issuer: ISSUER, audience: RESOURCE, typ: "at+jwt", algorithms: ["RS256"] }).then(
    ({ payload }) => payload,
    () => undefined,
  );

const check = process.env["TOKENS"] === "jwt" ? verify : introspect;

/** Middleware: lets the request pass if it carries a token for this API with `scope`. RFC 6750 §3. */
function requireScope(scope: string) {
  const refuse = (response: Response, status: 401 | 403, error?: string) => {
    const parts = [error && `error="${error}"`, `scope="${scope}"`, `resource_metadata="${RESOURCE}${METADATA_PATH}"`];
    response
      .status(status)
      .set("WWW-Authenticate", `Bearer ${parts.filter(Boolean).join(", ")}`)
      .json({ error: error ?? "unauthorized" });
  };
  return async (request: Request, response: Response, next: NextFunction) => {
    const sent = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? "")?.[1];
    if (sent === undefined) return refuse(response, 401);
    const token = await check(sent);
    if (!token || ![token.aud].flat().includes(RESOURCE)) return refuse(response, 401, "invalid_token");
    // RFC 9449 §7.2, RFC 8705 §3: a token that is bound to a key is no bearer token. This API checks no proofs, so it
    // takes none.
    if (token.cnf !== undefined) return refuse(response, 401, "invalid_token");
    if (!ENVIRONMENTS.includes(String(token.environment))) return refuse(response, 401, "invalid_token");
    if (!String(token.scope).split(" ").includes(scope)) return refuse(response, 403, "insufficient_scope");
    response.locals["subject"] = token.sub;
    return next();
  };
}

const stock = new Map([["apples", 12]]);
const app = express().disable("x-powered-by");

app.get(METADATA_PATH, (_, response) => {
  const metadata = {
    resource: RESOURCE,
    authorization_servers: [ISSUER],
    scopes_supported: ["shelf:read", "shelf:write"],
  };
  response.json({ ...metadata, bearer_methods_supported: ["header"] });
});

app.get("/stock", requireScope("shelf:read"), (_, response) => {
  response.json({ stock: Object.fromEntries(stock), seenBy: response.locals["subject"] });
});

app.put("/stock/:item", requireScope("shelf:write"), express.json({ limit: "10kb" }), (request, response) => {
  const { item } = request.params;
  const count = Number(request.body?.count);
  if (typeof item !== "string" || !Number.isInteger(count) || count < 0)
    return void response
      .status(400)
      .json({ error: "invalid_request", error_description: 'Send {"count": <a whole number>}.' });
  stock.set(item, count);
  response.json({ [item]: count });
});

app.use((error: unknown, _request: Request, response: Response, next: NextFunction) => {
  if (response.headersSent) return next(error);
  console.error(error);
  return response.status(503).set("Retry-After", "5").json({ error: "temporarily_unavailable" });
});

app.listen(Number(PORT), "localhost", () => console.log(`An Express API at ${RESOURCE}, protected by ${ISSUER}`));
