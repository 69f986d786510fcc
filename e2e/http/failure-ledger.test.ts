import { beforeAll, describe, expect, inject, test } from "vitest";
import { newAgent } from "../harness/agent.ts";
import { CLIENTS } from "../harness/fixture.ts";
import { authorizePath, postAs, signIn } from "../harness/flow.ts";
import { gatehouse } from "../harness/gatehouse.ts";
import { consoleToken, dataOf, query } from "../harness/trpc.ts";

const [issuer, adminUrl, env] = [inject("issuer"), inject("adminUrl"), inject("env")];
type Entry = { errorId: string; cause: string; detail: object; client: object; actor: string; howToFix: string };

describe("the failure ledger", () => {
  const tokens = new Map<string, string>();
  beforeAll(async () => {
    for (const person of ["admin", "developer", "viewer"]) tokens.set(person, await consoleToken(issuer, person));
  });

  const one = (errorId: string, person: string) => query(issuer, "refusals.one", { errorId }, tokens.get(person));

  test("CO-02 an error id leads everybody with a role in the console, and the command line, to the cause", async () => {
    const wrong = { ...CLIENTS.service, client_secret: "not the secret of this client" };
    const refused = await postAs(issuer, "/token", wrong, { grant_type: "client_credentials" });
    const errorId = refused.headers.get("gatehouse-error-id") ?? "";
    expect(refused.status).toBe(401);

    const entry = dataOf<Entry>(await one(errorId, "admin"));
    expect(entry).toMatchObject({
      errorId,
      cause: "secret_wrong",
      client: { clientId: "service" },
      actor: "client developer",
    });
    const network = { address: expect.stringMatching(/\/(?:24|48)$/) };
    for (const person of ["developer", "viewer"])
      expect(dataOf<Entry>(await one(errorId, person))).toEqual({ ...entry, fix: null, canTry: false, ...network });
    expect(await gatehouse(["why", errorId.toLowerCase(), "--json"], env)).toEqual(entry);
    expect(JSON.stringify(entry)).not.toContain("not the secret");

    const listed = dataOf<{ items: Entry[] }>(
      await query(issuer, "refusals.list", { clientId: "service", cause: "secret_wrong" }, tokens.get("developer")),
    );
    expect(listed.items.map((item) => item.errorId)).toContain(errorId);
  });

  test.each([
    ["a stranger", undefined, false],
    ["a user without a role in the console", "authorize", false],
    ["a viewer", "viewer", true],
    ["an admin", "admin", true],
  ])(
    "CO-49 the error page of %s links to the console only for its users, and never shows a registered URI",
    async (_, person, linked) => {
      const [uri = ""] = CLIENTS.web.redirect_uris ?? [];
      const agent = newAgent(issuer);
      if (person !== undefined) await signIn(issuer, person, agent);
      const page = await agent.open(authorizePath(CLIENTS.web, { redirect_uri: `${uri}/elsewhere` }));
      const [, errorId = ""] = /<code>([0-9A-Z]{10})<\/code>/.exec(page.text) ?? [];
      expect(errorId).not.toBe("");
      const link = page.document.querySelector(`a[href="${adminUrl}/failures/${errorId}"]`);
      expect(link !== null).toBe(linked);
      if (!linked) expect(page.text).not.toContain(adminUrl);
      expect(page.text).not.toContain(uri);
    },
  );

  test("an error page says what its id is for, and the entry shows where the redirect URI differs", async () => {
    const [uri = ""] = CLIENTS.web.redirect_uris ?? [];
    const page = await newAgent(issuer).open(authorizePath(CLIENTS.web, { redirect_uri: `${uri}/` }));
    const [, errorId = ""] = /<code>([0-9A-Z]{10})<\/code>/.exec(page.text) ?? [];
    expect(page.text).toContain("Include it when you contact support");
    const entry = dataOf<Entry>(await one(errorId, "developer"));
    expect(entry).toMatchObject({
      cause: "redirect_uri_unregistered",
      detail: { sent: `${uri}/`, nearest: uri, differsAt: uri.length },
    });
  });
});
