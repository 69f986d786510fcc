import { sha256 } from "@gatehouse/auth";
import { engines } from "@gatehouse/db/testing/engines";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Installation, openInstallation } from "../testing/callers.ts";

const WEB = {
  type: "web",
  redirectUris: ["http://localhost:4000/callback"],
  grantTypes: ["authorization_code", "refresh_token"],
  scopes: ["openid", "api:read"],
} as const;
const MCP = {
  type: "native",
  redirectUris: ["http://localhost:6274/oauth/callback"],
  grantTypes: ["authorization_code", "refresh_token"],
  scopes: ["offline_access"],
} as const;
const mutable = <Draft extends typeof WEB | typeof MCP>(draft: Draft) => ({
  ...draft,
  redirectUris: [...draft.redirectUris],
  grantTypes: [...draft.grantTypes],
  scopes: [...draft.scopes],
});

describe.each(engines)("CO-20 an application is created with its development client, on $name", (engine) => {
  let it: Installation;
  beforeAll(async () => {
    it = await openInstallation(engine);
  });
  afterAll(() => it.close());

  const named = async (query: string) =>
    (await it.as("admin").applications.list({ query })).items.filter(({ name }) => name === query);

  test("a developer gets the client and its secret, of which only the hash is stored", async () => {
    const { client, secret } = await it.as("developer").applications.start({ ...mutable(WEB), name: "First shop" });
    expect(client).toMatchObject({
      environment: "development",
      type: "web",
      redirectUris: WEB.redirectUris,
      postLogoutRedirectUris: ["http://localhost:4000/"],
      scopes: [...WEB.scopes],
    });
    const stored = await it.deps.store.findClient(client.clientId);
    expect(stored?.secrets.map(({ hash }) => hash)).toEqual([sha256(secret ?? "")]);
    expect(await named("First shop")).toMatchObject([{ clients: [{ clientId: client.clientId }] }]);
  });

  test("a client that cannot be registered leaves no application, so the corrected form succeeds under the same name", async () => {
    const start = (redirectUri: string) =>
      it.as("developer").applications.start({ ...mutable(WEB), name: "Second shop", redirectUris: [redirectUri] });
    await expect(start("http://shop.example/callback")).rejects.toMatchObject({ code: "BAD_REQUEST" });
    expect(await named("Second shop")).toEqual([]);
    expect((await start("http://localhost:4000/callback")).client.applicationName).toBe("Second shop");
    await expect(start("http://localhost:4000/callback")).rejects.toMatchObject({ code: "CONFLICT" });
    expect(await named("Second shop")).toHaveLength(1);
  });

  test("an MCP server becomes an API whose scope the client has; two of one name get scopes of their own", async () => {
    const admin = it.as("admin");
    const start = (name: string, mcpServer: string) => admin.applications.start({ ...mutable(MCP), name, mcpServer });
    const { client } = await start("Team notes", "http://localhost:4100/mcp");
    expect(client).toMatchObject({
      postLogoutRedirectUris: [],
      scopes: ["offline_access", "team-notes:use"],
      options: { resources: ["http://localhost:4100/mcp"] },
    });
    const other = await start("Team  notes", "http://localhost:4101/mcp");
    expect(other.client.scopes).toContain("team-notes-2:use");
    expect((await admin.resources.list()).map(({ id }) => id)).toEqual([
      "http://localhost:4100/mcp",
      "http://localhost:4101/mcp",
    ]);

    await expect(start("Team notes again", "http://localhost:4100/mcp")).rejects.toMatchObject({ code: "CONFLICT" });
    await expect(start("Team notes again", "not a url")).rejects.toMatchObject({ code: "BAD_REQUEST" });
    expect(await named("Team notes again")).toEqual([]);
  });

  test("only admins register an MCP server, because it is an API", async () => {
    const asked = it
      .as("developer")
      .applications.start({ ...mutable(MCP), name: "Denied", mcpServer: "http://localhost:4102/mcp" });
    await expect(asked).rejects.toMatchObject({ code: "FORBIDDEN" });
    expect(await named("Denied")).toEqual([]);
  });
});
