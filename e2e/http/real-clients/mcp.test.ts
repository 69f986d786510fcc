import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { auth, type OAuthClientProvider, UnauthorizedError } from "@modelcontextprotocol/sdk/client/auth.js";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type {
  OAuthClientInformationMixed,
  OAuthClientMetadata,
  OAuthTokens,
} from "@modelcontextprotocol/sdk/shared/auth.js";
import { generate } from "selfsigned";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { type Agent, readable } from "../../harness/agent.ts";
import { fixture } from "../../harness/fixture.ts";
import { callback, obtainCode, postAs, redeem, serviceToken, signIn } from "../../harness/flow.ts";
import { apply, type Gatehouse, ROOT, startGatehouse } from "../../harness/gatehouse.ts";
import { json, send, textOf } from "../../harness/http.ts";
import { freePort, launch, type Running, untilReady } from "../../harness/processes.ts";
import { newProofKey, proofFor } from "../../harness/proof.ts";

const CALLBACK = "http://localhost:6274/oauth/callback";
const PRE_REGISTERED = "mcp-inspector";

let own: Gatehouse;
let issuer = "";
let mcpUrl = "";
let person: Agent;
let folder = "";
let example: Running;
/** Publishes a client ID metadata document. */
let publisher: Server;
let documentUrl = "";

beforeAll(async () => {
  const mcpPort = await freePort();
  mcpUrl = `http://localhost:${mcpPort}/mcp`;
  folder = await mkdtemp(join(tmpdir(), "gatehouse-mcp-"));
  const authority = join(folder, "authority.pem");
  const { cert, private: key } = await generate([{ name: "commonName", value: "localhost" }], {
    extensions: [{ name: "subjectAltName", altNames: [{ type: 2, value: "localhost" }] }],
  });
  await writeFile(authority, cert);
  const settings = { GATEHOUSE_REGISTRATION: "open", NODE_EXTRA_CA_CERTS: authority };
  own = await startGatehouse({ engine: "sqlite", fixture: fixture(), more: registration(), settings });
  issuer = own.issuer;
  example = launch("node", ["--import", "tsx", "server.ts"], {
    cwd: join(ROOT, "examples/mcp-server"),
    env: { ...sdkSettings(), PORT: String(mcpPort) },
  });
  await untilReady(`http://localhost:${mcpPort}/.well-known/oauth-protected-resource/mcp`, example);
  person = await signIn(issuer, "mcp");
  publisher = createServer({ cert, key }, (_, response) =>
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(document())),
  );
  await new Promise<void>((resolve) => publisher.listen(0, "localhost", resolve));
  const address = publisher.address();
  documentUrl = `https://localhost:${address !== null && typeof address === "object" ? address.port : 0}/client.json`;
});
afterAll(async () => {
  publisher?.close();
  await example?.stop();
  await own?.stop();
  await rm(folder, { recursive: true, force: true });
});

const SERVER = { client_id: "notes-server", client_secret: "only-for-tests-0123456789-0123456789" };
const sdkSettings = () => ({
  GATEHOUSE_ISSUER: issuer,
  GATEHOUSE_CLIENT_ID: SERVER.client_id,
  GATEHOUSE_CLIENT_SECRET: SERVER.client_secret,
  GATEHOUSE_RESOURCE: mcpUrl,
});

/** As in docs/mcp.md. */
const registration = (change: object = {}) => ({
  resources: [
    {
      id: mcpUrl,
      name: "Notes",
      scopes: { "notebook:read": "see your notes", "notebook:write": "add notes" },
      token_format: "jwt",
      strangers: "asked",
      ...change,
    },
  ],
  applications: [
    {
      name: "Notes server",
      environments: {
        development: { ...SERVER, type: "service", scopes: [], resource_server: true, serves: [mcpUrl] },
      },
    },
    {
      name: "MCP Inspector",
      environments: {
        development: {
          client_id: PRE_REGISTERED,
          type: "native",
          redirect_uris: [CALLBACK],
          scopes: ["offline_access", "notebook:read", "notebook:write"],
          resources: [mcpUrl],
        },
      },
    },
  ],
});

const METADATA: OAuthClientMetadata = {
  client_name: "MCP client of the tests",
  redirect_uris: [CALLBACK],
  grant_types: ["authorization_code", "refresh_token"],
  response_types: ["code"],
  token_endpoint_auth_method: "none",
};
const document = () => ({ client_id: documentUrl, ...METADATA });

/** What a client stores of its sign-in, and the user at the browser, who allows it. */
class Person implements OAuthClientProvider {
  readonly redirectUrl = CALLBACK;
  readonly clientMetadata = METADATA;
  readonly clientMetadataUrl?: string;
  known: OAuthClientInformationMixed | undefined;
  kept: OAuthTokens | undefined;
  verifier = "";
  code = "";
  asked: URL[] = [];
  /** A client with a refresh token refreshes before it requests more scopes. */
  keepsRefreshToken = true;

  constructor({ known, documentUrl }: { known?: OAuthClientInformationMixed; documentUrl?: string } = {}) {
    this.known = known;
    if (documentUrl !== undefined) this.clientMetadataUrl = documentUrl;
  }

  clientInformation = () => this.known;
  saveClientInformation(known: OAuthClientInformationMixed) {
    this.known = known;
  }
  tokens = () => {
    if (this.keepsRefreshToken || !this.kept) return this.kept;
    const { refresh_token: _, ...rest } = this.kept;
    return rest;
  };
  saveTokens(tokens: OAuthTokens) {
    this.kept = tokens;
  }
  saveCodeVerifier(verifier: string) {
    this.verifier = verifier;
  }
  codeVerifier = () => this.verifier;
  async redirectToAuthorization(url: URL) {
    this.asked.push(url);
    const page = await person.open(url.pathname + url.search);
    const answer =
      page.status === 200 && readable(page).includes("Allow") ? await person.submit(page, { button: "Allow" }) : page;
    const { uri, params } = callback(answer);
    expect(uri).toBe(CALLBACK);
    this.code = params.get("code") ?? "";
  }
}

/** Connects as MCP clients do: tries, gets 401, signs in, tries again. */
async function connect(provider: Person): Promise<Client> {
  const client = new Client({ name: "tests", version: "1.0.0" });
  const first = new StreamableHTTPClientTransport(new URL(mcpUrl), { authProvider: provider });
  const refused = await client.connect(first as never).catch((thrown: unknown) => thrown);
  if (refused === undefined) return client;
  expect(refused).toBeInstanceOf(UnauthorizedError);
  await first.finishAuth(provider.code);
  const again = new Client({ name: "tests", version: "1.0.0" });
  await again.connect(new StreamableHTTPClientTransport(new URL(mcpUrl), { authProvider: provider }) as never);
  return again;
}

const textOfTool = async (client: Client, name: string, args: Record<string, unknown> = {}) => {
  const { content } = (await client.callTool({ name, arguments: args })) as { content: { text?: string }[] };
  return content[0]?.text;
};

const KINDS: [string, () => Person, (provider: Person) => void][] = [
  ["is registered by an admin", () => new Person({ known: { client_id: PRE_REGISTERED } }), () => {}],
  [
    "registers itself",
    () => new Person(),
    ({ known }) => expect(known).toMatchObject({ client_id: expect.any(String), redirect_uris: [CALLBACK] }),
  ],
  [
    "is its own metadata document",
    () => new Person({ documentUrl }),
    ({ known }) => expect(known?.client_id).toBe(documentUrl),
  ],
];

describe.each(KINDS)("the official MCP client, that %s", (_, make, registered) => {
  test("MC-04 MC-07 MC-08: discovers everything from the 401, signs in, calls a tool, and refreshes its token", async () => {
    const provider = make();
    const client = await connect(provider);
    registered(provider);
    expect(provider.asked[0]?.searchParams.get("resource")).toBe(mcpUrl);
    expect(provider.asked[0]?.searchParams.get("code_challenge_method")).toBe("S256");
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(["list_notes", "add_note"]);
    const notes = await textOfTool(client, "list_notes");
    expect(notes).toMatch(/^(No notes yet\.|milk)/);

    const before = provider.kept;
    expect(before?.refresh_token).toBeDefined();
    expect(await auth(provider, { serverUrl: mcpUrl })).toBe("AUTHORIZED");
    expect(provider.kept?.access_token).not.toBe(before?.access_token);
    expect(provider.asked).toHaveLength(1);
    expect(await textOfTool(client, "list_notes")).toBe(notes);
    await client.close();
  });

  test("MC-09: requests more scopes only when a tool needs them", async () => {
    const provider = make();
    provider.keepsRefreshToken = false;
    const client = await connect(provider);
    expect(provider.kept?.scope?.split(" ")).not.toContain("notebook:write");
    const refused = await client
      .callTool({ name: "add_note", arguments: { text: "milk" } })
      .catch((thrown: unknown) => thrown);
    expect(refused).toBeInstanceOf(UnauthorizedError);
    expect(provider.asked.at(-1)?.searchParams.get("scope")?.split(" ")).toContain("notebook:write");
    await auth(provider, { serverUrl: mcpUrl, authorizationCode: provider.code });
    expect(provider.kept?.scope?.split(" ")).toEqual(expect.arrayContaining(["notebook:read", "notebook:write"]));
    const allowed = await connect(provider);
    expect(await textOfTool(allowed, "add_note", { text: "milk" })).toBe("Noted.");
    await allowed.callTool({ name: "list_notes", arguments: {} });
  });
});

test("D21: a self-registered client gets no more tokens for an API that no longer admits such clients", async () => {
  const provider = new Person();
  await connect(provider);
  const client = { client_id: provider.known?.client_id ?? "" };
  let newest = provider.kept?.refresh_token ?? "";
  // The server reads its APIs again after a second, so an attempt before that succeeds and rotates the token.
  const renew = async () => {
    const answer = await postAs(issuer, "/token", client, { grant_type: "refresh_token", refresh_token: newest });
    if (answer.status === 200) newest = textOf(answer, "refresh_token");
    return answer;
  };
  await apply(registration({ strangers: "refused" }), folder, own.env);
  await expect.poll(async () => (await renew()).text, { timeout: 20_000 }).toContain("invalid_target");
  const refused = new Person({ known: { client_id: PRE_REGISTERED } });
  await (await connect(refused)).close();
  await apply(registration(), folder, own.env);
});

describe("the example server rejects everyone else", () => {
  const call = (token?: string) =>
    send(new URL(mcpUrl).origin, "/mcp", {
      method: "POST",
      headers: {
        "content-type": "application/json",
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      body: "{}",
    });

  test("MC-08 MC-09: 401 has the scope and a link to the metadata", async () => {
    const answer = await call();
    expect(answer.status).toBe(401);
    const challenge = answer.headers.get("www-authenticate") ?? "";
    expect(challenge).toContain('scope="notebook:read"');
    const url = /resource_metadata="([^"]+)"/.exec(challenge)?.[1] ?? "";
    const metadata = json(await send(new URL(url).origin, new URL(url).pathname));
    expect(metadata).toMatchObject({
      resource: mcpUrl,
      authorization_servers: [issuer],
      scopes_supported: ["notebook:read", "notebook:write"],
    });
  });

  test("MC-07 MC-10: a token for another resource and an altered token are rejected", async () => {
    expect((await call(await serviceToken(issuer))).status).toBe(401);
    const provider = new Person({ known: { client_id: PRE_REGISTERED } });
    await connect(provider);
    const token = provider.kept?.access_token ?? "";
    expect((await call(`${token.slice(0, -6)}AAAAAA`)).status).toBe(401);
    expect((await call("a.b.c")).status).toBe(401);
    // A token for the example is not valid at the built-in API either.
    expect((await send(issuer, "/api/resource", { headers: { authorization: `Bearer ${token}` } })).status).toBe(401);
  });

  test("RFC 9449 §7.2: a token that is bound to a key is rejected without a proof", async () => {
    const client = { client_id: PRE_REGISTERED, redirect_uris: [CALLBACK] };
    const obtained = await obtainCode(person, client, { scope: "notebook:read", resource: mcpUrl });
    const bound = await redeem(
      issuer,
      client,
      obtained,
      {},
      await proofFor(await newProofKey(), "POST", `${issuer}/token`),
    );
    expect(json(bound)["token_type"]).toBe("DPoP");
    expect((await call(textOf(bound, "access_token"))).status).toBe(401);
  });

  test("D22: a token of an environment that the server does not accept is rejected", async () => {
    const provider = new Person({ known: { client_id: PRE_REGISTERED } });
    await connect(provider);
    const port = await freePort();
    const strict = launch("node", ["--import", "tsx", "server.ts"], {
      cwd: join(ROOT, "examples/mcp-server"),
      env: { ...sdkSettings(), PORT: String(port), ENVIRONMENTS: "production" },
    });
    onTestFinished(() => strict.stop());
    await untilReady(`http://localhost:${port}/.well-known/oauth-protected-resource/mcp`, strict);
    const headers = { "content-type": "application/json", authorization: `Bearer ${provider.kept?.access_token}` };
    const answer = await send(`http://localhost:${port}`, "/mcp", { method: "POST", headers, body: "{}" });
    expect([answer.status, answer.headers.get("www-authenticate")]).toEqual([
      401,
      expect.stringContaining('error="invalid_token"'),
    ]);
  });

  test("RV-04 MC-06: a client cannot refresh once its grant is revoked", async () => {
    const provider = new Person({ known: { client_id: PRE_REGISTERED } });
    await connect(provider);
    const refreshToken = provider.kept?.refresh_token ?? "";
    const client = { client_id: PRE_REGISTERED };
    expect((await postAs(issuer, "/revoke", client, { token: refreshToken })).status).toBe(200);
    expect(
      (await postAs(issuer, "/token", client, { grant_type: "refresh_token", refresh_token: refreshToken })).status,
    ).toBe(400);
  });
});
