import { type SelfDescribedClient, sha256 } from "@gatehouse/auth";
import { engines } from "@gatehouse/db/testing/engines";
import { SHOWN } from "@gatehouse/db/testing/people";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Installation, NOON, openInstallation, seedApplication } from "../testing/callers.ts";

const DAY = 86_400;
const URL_ID = "https://app.tools.example/client.json";

describe.each(engines)("self-registered clients, on $name", (engine) => {
  let it: Installation;
  /** What the host of the document answers. */
  let document: object = {};
  beforeAll(async () => {
    it = await openInstallation(engine);
    it.deps.config.clientMetadataDocuments = true;
    it.deps.fetchDocument = async () => ({
      text: JSON.stringify(document),
      headers: { cacheControl: undefined, age: undefined },
    });
    await seedApplication(it.deps);
    await it.deps.store.saveDocumentClient(client(URL_ID), NOON);
    for (const [id, softwareId] of [
      ["dyn-1", "bot"],
      ["dyn-2", "bot"],
      ["dyn-3", undefined],
    ] as const) {
      const registration = { ...client(id, softwareId), registrationTokenHash: sha256(id), secret: null };
      await it.deps.store.addDynamicClient(registration, NOON + 1);
    }
  });
  afterAll(() => it.close());

  const client = (clientId: string, softwareId?: string): SelfDescribedClient => ({
    clientId,
    applicationId: sha256(clientId).slice(0, 22),
    applicationName: `App ${clientId}`,
    type: "native",
    redirectUris: ["http://localhost/cb", "https://app.example/cb"],
    postLogoutRedirectUris: [],
    grantTypes: ["authorization_code"],
    scopes: ["api:read"],
    options: softwareId === undefined ? {} : { softwareId },
  });
  type Input = Parameters<ReturnType<Installation["as"]>["selfRegistered"]["list"]>[0];
  const ids = async (input: Input) =>
    (await it.as("viewer").selfRegistered.list(input)).items.map(({ clientId }) => clientId).sort();

  test("CO-61 groups them by document host or software id; clients that an admin registered are not among them", async () => {
    const groups = await it.as("viewer").selfRegistered.groups();
    expect(groups.map(({ host, software, clients, waiting }) => [host, software, clients, waiting]).sort()).toEqual(
      [
        ["app.tools.example", null, 1, 0],
        [null, "bot", 2, 2],
        [null, null, 1, 1],
      ].sort(),
    );
    expect(await ids({ host: "app.tools.example" })).toEqual([URL_ID]);
    expect(await ids({ software: "bot" })).toEqual(["dyn-1", "dyn-2"]);
    expect(await ids({ state: "active" })).toEqual([URL_ID]);
  });

  test("CO-61 none becomes first-party or a resource server, since it changes its own redirect URIs and keys, in the console or by a file", async () => {
    const admin = it.as("admin");
    const settings = {
      redirectUris: ["http://127.0.0.1/cb"],
      grantTypes: ["authorization_code" as const],
      scopes: ["api:read"],
    };
    for (const clientId of ["dyn-3", URL_ID])
      for (const rights of [{ firstParty: true }, { resourceServer: true }])
        await expect(admin.clients.update({ ...settings, ...rights, clientId })).rejects.toMatchObject({
          code: "CONFLICT",
        });
    const native = { type: "native", redirect_uris: ["http://127.0.0.1/cb"], scopes: ["api:read"] };
    const file = JSON.stringify({ applications: [{ name: "App dyn-3", environments: { production: native } }] });
    const refusal = {
      code: "BAD_REQUEST",
      message: expect.stringContaining("applications.0.name: is the name of an application that"),
    };
    await expect(admin.configuration.plan({ file })).rejects.toMatchObject(refusal);
    expect(await it.deps.store.findClient("dyn-3")).toMatchObject({
      redirectUris: client("dyn-3").redirectUris,
      firstParty: false,
    });
  });

  test("CO-61 pages go on where the one before ended, for ids that are URLs too", async () => {
    const seen: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page = await it.as("viewer").selfRegistered.list({ limit: 1, cursor });
      seen.push(...page.items.map(({ clientId }) => clientId));
      cursor = page.nextCursor;
    }
    expect(seen.sort()).toEqual(["dyn-1", "dyn-2", "dyn-3", URL_ID].sort());
  });

  test("CO-61 one says its state, redirect hosts and users", async () => {
    const found = await it.as("viewer").selfRegistered.get({ clientId: URL_ID });
    expect(found).toMatchObject({
      state: "active",
      redirectHosts: ["localhost", "app.example"],
      users: 0,
      fetchError: null,
    });
    await it.deps.store.saveConsent({ userId: "viewer", clientId: URL_ID, scope: "api:read", ...SHOWN, now: NOON });
    expect(await it.as("viewer").selfRegistered.get({ clientId: URL_ID })).toMatchObject({
      users: 1,
      moreUsers: false,
    });
  });

  test("CO-61 an approval is of what was read, and lasts until the client says anything else about itself", async () => {
    const approved = async () => (await it.deps.store.findClient(URL_ID))?.approved ?? false;
    const { selfRegistered } = it.as("admin");
    expect(await approved()).toBe(false);
    const read = (await selfRegistered.get({ clientId: URL_ID })).version;
    document = {
      client_id: URL_ID,
      client_name: "Tool",
      redirect_uris: ["http://localhost/cb", "https://app.example/cb"],
    };
    await selfRegistered.fetchAgain({ clientId: URL_ID });
    const stale = selfRegistered.approve({ clientId: URL_ID, approved: true, version: read });
    await expect(stale).rejects.toMatchObject({ code: "CONFLICT" });
    expect(await approved()).toBe(false);
    await selfRegistered.approve({ clientId: URL_ID, approved: true, version: read + 1 });
    await selfRegistered.fetchAgain({ clientId: URL_ID });
    expect(await approved()).toBe(true);
    document = { ...document, client_name: "Payroll (official)" };
    await selfRegistered.fetchAgain({ clientId: URL_ID });
    expect(await approved()).toBe(false);
    document = { client_id: "https://other.example/c" };
    const failed = selfRegistered.fetchAgain({ clientId: URL_ID });
    await expect(failed).rejects.toMatchObject({
      code: "CONFLICT",
      message: expect.stringContaining("app.tools.example answered"),
    });
    const rows = await it.deps.db.select().from(it.deps.db.tables.audit);
    const actions = rows.filter(({ object }) => object === URL_ID).map(({ action }) => action);
    // CO-64: also the one that failed, since the request was sent.
    expect(actions.sort()).toEqual(["self_registered.approve", ...Array(4).fill("self_registered.fetch")]);
  });

  test("CO-61 a block and its lifting say before how many clients they concern, and a client which blocks stop it", async () => {
    const { clientBlocks, selfRegistered } = it.as("admin");
    const host = { kind: "document_host", value: "tools.example" } as const;
    const own = { kind: "client_id", value: URL_ID } as const;
    expect(await clientBlocks.impact(host)).toEqual({ inForce: false, clients: { count: 1, more: false } });
    expect((await clientBlocks.block({ ...host, reason: "spam", expiresAt: null })).disabled).toBe(1);
    expect(await clientBlocks.impact(host)).toEqual({ inForce: true, clients: { count: 1, more: false } });
    expect(await clientBlocks.impact(own)).toEqual({ inForce: false, clients: { count: 0, more: false } });

    await clientBlocks.block({ ...own, reason: "too", expiresAt: NOON + DAY });
    expect(await clientBlocks.impact(host)).toEqual({ inForce: true, clients: { count: 0, more: false } });
    const { blocks } = await it.as("viewer").selfRegistered.get({ clientId: URL_ID });
    expect(blocks).toEqual([
      { ...own, expiresAt: NOON + DAY },
      { ...host, expiresAt: null },
    ]);

    await clientBlocks.unblock(own);
    expect(await selfRegistered.get({ clientId: URL_ID })).toMatchObject({ state: "blocked", blocks: [host] });
    await clientBlocks.unblock(host);
    expect(await selfRegistered.get({ clientId: URL_ID })).toMatchObject({ state: "active", blocks: [] });
  });

  test("CO-61 pruning deletes what got no token for so many days, and says before what that is", async () => {
    it.clock.now = NOON + 31 * DAY;
    await it.deps.store.touchClient("dyn-2", it.clock.now - DAY);
    const idle = await it.as("admin").selfRegistered.idle({ idleDays: 30 });
    expect(idle).toMatchObject({ clients: 3, more: false, users: 1 });
    expect(await it.as("admin").selfRegistered.prune({ idleDays: 30 })).toEqual({ deleted: 3, more: false });
    expect(await ids({})).toEqual(["dyn-2"]);
  });
});
