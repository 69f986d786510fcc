import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { type Agent, newAgent, readable } from "../harness/agent.ts";
import { authorizePath, obtainCode, obtainTokens, postAs, redeem, refusal, signIn } from "../harness/flow.ts";
import { json, send } from "../harness/http.ts";

const issuer = inject("issuer");

/** A host that publishes documents. It may be on loopback because the issuer is. */
const fetched: string[] = [];
let host: Server;
let origin = "";
let cora: Agent;

beforeAll(async () => {
  host = createServer(publish);
  await new Promise<void>((resolve) => host.listen(0, "127.0.0.1", resolve));
  const address = host.address();
  origin = `http://127.0.0.1:${address !== null && typeof address === "object" ? address.port : 0}`;
  cora = await signIn(issuer, "client-metadata");
});
afterAll(() => {
  host.closeAllConnections();
  host.close();
});

function publish(request: IncomingMessage, response: ServerResponse): void {
  const path = request.url ?? "/";
  fetched.push(path);
  const document = { client_id: origin + path, client_name: "Reader", redirect_uris: ["https://reader.example/cb"] };
  const answer = (body: string, type = "application/json", status = 200) =>
    response.writeHead(status, { "content-type": type }).end(body);
  switch (path.split("/")[1]) {
    case "good":
      return void answer(JSON.stringify({ ...document, grant_types: ["authorization_code", "refresh_token"] }));
    case "local":
      return void answer(JSON.stringify({ ...document, redirect_uris: ["http://localhost/cb"] }));
    case "redirect":
      return void response.writeHead(302, { location: "/good/client.json" }).end();
    case "slow": {
      response.writeHead(200, { "content-type": "application/json" });
      const drip = setInterval(() => response.write(" "), 500);
      return void response.on("close", () => clearInterval(drip));
    }
    case "huge":
      return void answer(JSON.stringify({ ...document, padding: "x".repeat(6000) }));
    case "html":
      return void answer(JSON.stringify(document), "text/html");
    case "mismatch":
      return void answer(JSON.stringify({ ...document, client_id: `${origin}/good/client.json` }));
    case "secret":
      return void answer(JSON.stringify({ ...document, token_endpoint_auth_method: "client_secret_post" }));
    default:
      return void answer("{}", "application/json", 404);
  }
}

const clientAt = (path: string, redirect = "https://reader.example/cb") => ({
  client_id: origin + path,
  redirect_uris: [redirect],
});

describe("client ID metadata documents", () => {
  test("CI-09: are advertised", async () => {
    expect(
      json(await send(issuer, "/.well-known/oauth-authorization-server"))["client_id_metadata_document_supported"],
    ).toBe(true);
  });

  test("CI-07 CI-02: are fetched after sign-in only, need consent, and work", async () => {
    const client = clientAt("/good/client.json");
    const stranger = await newAgent(issuer).open(authorizePath(client));
    expect([stranger.status, new URL(stranger.url).pathname]).toEqual([200, "/sign-in"]);
    expect(fetched).toEqual([]);

    const page = await cora.open(authorizePath(client));
    expect(readable(page)).toContain("describes itself at");
    expect(readable(page)).toContain(new URL(origin).host);
    const tokens = await obtainTokens(cora, client, { scope: "api:read offline_access" });
    expect(
      (await send(issuer, "/api/resource", { headers: { authorization: `Bearer ${tokens.access}` } })).status,
    ).toBe(200);
    const renewed = await postAs(issuer, "/token", client, {
      grant_type: "refresh_token",
      refresh_token: tokens.refresh,
    });
    expect(renewed.status).toBe(200);
    expect(fetched).toEqual(["/good/client.json"]);
  });

  test("CI-04: any other redirect URI shows our error page", async () => {
    const page = await cora.open(
      authorizePath(clientAt("/good/client.json"), { redirect_uri: "https://evil.example/cb" }),
    );
    expect([page.status, page.headers.get("location"), page.text.includes("evil.example")]).toEqual([400, null, false]);
  });

  test("CI-08 CF-15: on localhost any port works, and the page warns the user", async () => {
    const client = clientAt("/local/client.json", "http://localhost:7777/cb");
    expect(readable(await cora.open(authorizePath(client)))).toContain("any program can pretend to be");
    expect((await redeem(issuer, client, await obtainCode(cora, client))).status).toBe(200);
  });

  test.each([
    ["CI-02 a redirect is not followed", "/redirect/c"],
    ["CI-05 a huge one", "/huge/c"],
    ["CI-02 HTML", "/html/c"],
    ["CI-02 N40 another client_id inside", "/mismatch/c"],
    ["CI-03 a method with a secret", "/secret/c"],
    ["CI-02 not there", "/nowhere/c"],
    ["CI-05 one that drips", "/slow/c"],
  ])(
    "CI-07 %s: our page, nothing redirected",
    async (_, path) => {
      const seen = fetched.length;
      const page = await cora.open(authorizePath(clientAt(path)));
      expect([page.status, page.headers.get("location")]).toEqual([400, null]);
      expect(fetched.slice(seen)).toEqual([path]);
      expect(page.text).not.toContain("reader.example");
    },
    15_000,
  );

  test.each([
    "https://169.254.169.254/x",
    "https://10.0.0.1/x",
    "https://[::1]:8443/x",
    "https://[::ffff:127.0.0.1]/x",
    "https://0x7f000001/x",
    "http://app.example/x",
    "https://app.example",
    "https://user:pw@app.example/x",
    "https://app.example/../x",
  ])("CI-01 CI-05 N40: %s leads nowhere", async (client_id) => {
    const page = await cora.open(authorizePath({ client_id, redirect_uris: ["https://reader.example/cb"] }));
    expect([page.status, page.headers.get("location")]).toEqual([400, null]);
  });

  test("CI-07: a client whose document was never fetched cannot authenticate", async () => {
    const client = clientAt("/good/unseen.json");
    expect(
      refusal(await postAs(issuer, "/token", client, { grant_type: "refresh_token", refresh_token: "grt_x" })),
    ).toEqual([401, "invalid_client"]);
    expect(fetched).not.toContain("/good/unseen.json");
  });
});
