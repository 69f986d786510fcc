import { execFile } from "node:child_process";
import { createHmac, createPublicKey, type JsonWebKey } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, inject, test, vi } from "vitest";
import { postAs, serviceToken, signIn } from "../harness/flow.ts";
import { FULL, ROOT } from "../harness/gatehouse.ts";
import { json, send, textOf } from "../harness/http.ts";
import { freePort, launch, type Running, untilReady } from "../harness/processes.ts";
import { newProofKey, proofFor } from "../harness/proof.ts";

// The examples, started by the command in their READMEs.

const issuer = inject("issuer");
const CALLER = "example-stock-caller";
const COMMAND = ["scripts/example.mjs"];
const started: Running[] = [];
let folder = "";
let apiPort = 0;
let api = "";

beforeAll(async () => {
  apiPort = await freePort();
  api = `http://localhost:${apiPort}`;
  folder = await mkdtemp(join(tmpdir(), "gatehouse-examples-"));
});
afterAll(async () => {
  for (const program of started) await program.stop();
  await rm(folder, { recursive: true, force: true });
});

const environment = (more: Record<string, string> = {}) => ({ ...inject("env"), ...more });
/** The secret that the command generated for an example's client. */
const secretOf = async (clientId: string) =>
  (await readFile(join(inject("env")["GATEHOUSE_DATA_DIR"] ?? "", "example-secrets", clientId), "utf8")).trim();

/** Starts an example that keeps running. */
function start(args: readonly string[], more: Record<string, string> = {}): Running {
  const program = launch("node", [...COMMAND, ...args], { cwd: ROOT, env: environment(more) });
  started.push(program);
  return program;
}

/** Waits until the program has printed a match. */
async function printed(program: Running, pattern: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    const look = () => {
      const [, found] = pattern.exec(program.output()) ?? [];
      if (found !== undefined) resolve(found);
    };
    program.child.stdout?.on("data", look);
    program.child.once("exit", () => reject(new Error(`it ended without ${pattern}:\n${program.output()}`)));
    look();
  });
}

test("examples/service calls the API with client credentials", async () => {
  const { stdout } = await promisify(execFile)("node", [...COMMAND, "service"], {
    cwd: ROOT,
    env: { ...process.env, ...environment() },
  });
  expect(stdout).toContain("GET /api/resource: 200");
  expect(stdout).toContain('"client_id":"example-service"');
});

test("examples/device-cli signs its user in with a device code, stores the tokens, and revokes them", async () => {
  const tokens = { TOKEN_FILE: join(folder, "tokens.json") };
  const first = start(["device-cli"], tokens);
  const url = new URL(await printed(first, /or open (\S+)/));
  const person = await signIn(issuer, "device");
  await person.submit(await person.open(url.pathname + url.search), { button: "Allow" });
  await printed(first, /(GET \/api\/resource: 200)/);

  if (FULL) await printed(start(["device-cli"], tokens), /(GET \/api\/resource: 200)/);
  await printed(start(["device-cli", "sign-out"], tokens), /(Signed out)/);
  await expect(readFile(tokens.TOKEN_FILE)).rejects.toMatchObject({ code: "ENOENT" });
});

describe.each(FULL ? ["introspection", "jwt"] : ["jwt"])("examples/express-api, tokens checked by %s", (tokens) => {
  let program: Running;
  beforeAll(async () => {
    program = start(["express-api"], { TOKENS: tokens, EXAMPLE_PORT: String(apiPort) });
    await untilReady(`${api}/.well-known/oauth-protected-resource`, program);
    // The server picks up the API's new token format within a second.
    const status = async () =>
      (await call("GET", "/stock", await tokenFor({ resource: api, scope: "shelf:read" }))).status;
    await vi.waitFor(async () => expect(await status()).toBe(200), { timeout: 10_000, interval: 100 });
  });
  afterAll(() => program.stop()); // the next one serves the same address

  async function tokenFor(fields: Record<string, string>): Promise<string> {
    return serviceToken(issuer, { client_id: CALLER, client_secret: await secretOf(CALLER) }, fields);
  }
  const call = (method: string, path: string, token?: string) =>
    fetch(api + path, {
      method,
      headers: { "content-type": "application/json", ...(token !== undefined && { authorization: `Bearer ${token}` }) },
      ...(method === "PUT" && { body: '{"count":3}' }),
    });

  test("a token with the scope is accepted, one without it is rejected", async () => {
    const token = await tokenFor({ resource: api, scope: "shelf:read" });
    const read = await call("GET", "/stock", token);
    expect([read.status, await read.json()]).toEqual([200, expect.objectContaining({ stock: { apples: 12 } })]);
    const write = await call("PUT", "/stock/apples", token);
    expect([write.status, write.headers.get("www-authenticate")]).toEqual([
      403,
      expect.stringContaining('error="insufficient_scope"'),
    ]);
    expect((await call("PUT", "/stock/apples", await tokenFor({ resource: api, scope: "shelf:write" }))).status).toBe(
      200,
    );
  });

  test("N95 PK-50 a token that is bound to a key needs a proof for this request, once", async () => {
    const client = { client_id: CALLER, client_secret: await secretOf(CALLER) };
    const key = await newProofKey();
    const fields = { grant_type: "client_credentials", resource: api, scope: "shelf:read" };
    const bound = await postAs(issuer, "/token", client, fields, await proofFor(key, "POST", `${issuer}/token`));
    expect(json(bound)["token_type"]).toBe("DPoP");
    const token = textOf(bound, "access_token");
    const proofAt = async (path: string, accessToken = token) =>
      (await proofFor(key, "GET", `${api}${path}`, { accessToken })).dpop;
    const statusOf = async (authorization: string, dpop?: string) => {
      const headers = { authorization, ...(dpop !== undefined && { dpop }) };
      return (await fetch(`${api}/stock`, { headers })).status;
    };
    const proof = await proofAt("/stock");
    expect(await statusOf(`Bearer ${token}`)).toBe(401);
    expect(await statusOf(`DPoP ${token}`)).toBe(401);
    expect(await statusOf(`DPoP ${token}`, proof)).toBe(200);
    expect(await statusOf(`DPoP ${token}`, proof)).toBe(401);
    expect(await statusOf(`DPoP ${token}`, await proofAt("/other"))).toBe(401);
    expect(await statusOf(`DPoP ${token}`, await proofAt("/stock", "another token"))).toBe(401);
  });

  test.runIf(tokens === "jwt")(
    "N95 a token that is altered, unsigned or signed with a public key is rejected",
    async () => {
      const token = await tokenFor({ resource: api, scope: "shelf:read" });
      const [head = "", body = "", signature = ""] = token.split(".");
      const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
      const { keys } = json(await send(issuer, "/.well-known/jwks.json")) as { keys: { kid: string; kty: string }[] };
      const jwk = keys.find(({ kty }) => kty === "RSA") ?? expect.unreachable();
      const spki = createPublicKey({ key: jwk as JsonWebKey, format: "jwk" }).export({ type: "spki", format: "pem" });
      const shared = `${part({ alg: "HS256", typ: "at+jwt", kid: jwk.kid })}.${body}`;
      const claims = JSON.parse(Buffer.from(body, "base64url").toString());
      for (const forged of [
        `${part({ alg: "none", typ: "at+jwt" })}.${body}.AA`,
        `${shared}.${createHmac("sha256", spki).update(shared).digest("base64url")}`,
        `${head}.${part({ ...claims, scope: "shelf:read shelf:write" })}.${signature}`,
        `${part({ ...JSON.parse(Buffer.from(head, "base64url").toString()), kid: "unknown" })}.${body}.${signature}`,
      ])
        expect((await call("GET", "/stock", forged)).status).toBe(401);
      expect((await call("GET", "/stock", token)).status).toBe(200);
    },
  );

  test("no token, an invented one and one for another API are rejected, with a link to the metadata", async () => {
    const none = await call("GET", "/stock");
    expect([none.status, none.headers.get("www-authenticate")]).toEqual([
      401,
      expect.stringContaining(`resource_metadata="${api}/.well-known/oauth-protected-resource"`),
    ]);
    expect((await call("GET", "/stock", "made-up")).status).toBe(401);
    expect((await call("GET", "/stock", await serviceToken(issuer))).status).toBe(401);
  });
});
