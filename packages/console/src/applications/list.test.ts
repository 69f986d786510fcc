import { createStats } from "@gatehouse/db/stores/stats/store";
import { sweep } from "@gatehouse/db/sweep/sweep";
import { fillBig } from "@gatehouse/db/testing/big";
import { engines } from "@gatehouse/db/testing/engines";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { ApplicationFilter } from "../lists/lists.ts";
import { type Installation, NOON, openInstallation, webClient } from "../testing/callers.ts";

const DAY = 86_400;

describe.each(engines)("CO-18 the list of applications, on $name", (engine) => {
  let it: Installation;
  beforeEach(async () => {
    it = await openInstallation(engine);
  });
  afterEach(() => it.close());

  async function register(name: string, client: Parameters<typeof webClient>[0] | null = {}, description = "") {
    it.clock.now += 60;
    const { id } = await it.as("admin").applications.create({ name, description });
    if (client === null) return { id, clientId: "", secret: "" };
    const { client: added, secret } = await it
      .as("admin")
      .clients.register({ ...webClient(client), applicationId: id });
    return { id, clientId: added.clientId, secret: secret ?? "" };
  }

  /** Everything that the list has, read in pages of two. */
  async function names(filter: ApplicationFilter = {}): Promise<string[]> {
    const found: string[] = [];
    let cursor: string | null | undefined;
    do {
      const page = await it.as("viewer").applications.list({ ...filter, limit: 2, cursor });
      found.push(...page.items.map(({ name }) => name));
      cursor = page.nextCursor;
    } while (cursor);
    return found;
  }

  async function use(act: (usage: ReturnType<typeof createStats>["usage"]) => Promise<void> | void): Promise<void> {
    const stats = createStats(it.deps.db, { now: it.deps.now, onError: (error) => expect.fail(String(error)) });
    await act(stats.usage);
    await stats.stop();
  }
  const issueTo = async (clientId: string) => {
    const client = (await it.deps.store.findClient(clientId)) ?? expect.fail("no client");
    await use((usage) => usage.tokenIssued(client, "client_credentials", "api:read"));
  };
  const refuse = (clientId: string, times: number) =>
    use((usage) => {
      for (let time = 0; time < times; time += 1) usage.refused("redirect_uri_unregistered", clientId);
    });

  test("every order lists each application once, page by page", async () => {
    const [zoo, apple, bird] = [await register("Zoo"), await register("apple"), await register("Bird")];
    await register("crow", null);
    await issueTo(apple.clientId);
    it.clock.now += 5;
    await issueTo(zoo.clientId);
    await refuse(bird.clientId, 3);
    await refuse(zoo.clientId, 1);
    expect(await names()).toEqual(["crow", "Bird", "apple", "Zoo"]);
    expect(await names({ sort: "name" })).toEqual(["apple", "Bird", "crow", "Zoo"]);
    expect((await names({ sort: "lastToken" })).slice(0, 2)).toEqual(["Zoo", "apple"]);
    expect((await names({ sort: "refusals" })).slice(0, 2)).toEqual(["Bird", "Zoo"]);
    for (const sort of ["lastToken", "refusals"] as const)
      expect((await names({ sort })).sort()).toEqual(["Bird", "Zoo", "apple", "crow"]);
    const { items } = await it.as("viewer").applications.list({ query: "Zoo" });
    expect(items).toMatchObject([{ lastTokenAt: it.clock.now, refusals: 1, clients: [{ type: "web" }] }]);
  });

  test("refusals count for 24 hours", async () => {
    const { clientId } = await register("Shop");
    await refuse(clientId, 2);
    it.clock.now += DAY / 2;
    await refuse(clientId, 1);
    const shown = async () => (await it.as("viewer").applications.list({})).items.map(({ refusals }) => refusals);
    expect(await shown()).toEqual([3]);
    it.clock.now += DAY / 2 + 3_600;
    await sweep(it.deps.db, it.clock.now);
    expect(await shown()).toEqual([1]);
    it.clock.now += DAY;
    await sweep(it.deps.db, it.clock.now);
    expect(await shown()).toEqual([0]);
  });

  test("CO-36 filters by environment, type, origin and state", async () => {
    const [shop, desk] = [await register("Shop"), await register("Desk", { type: "browser", environment: "staging" })];
    await register("Empty", null);
    expect(await names({ environment: "staging" })).toEqual(["Desk"]);
    expect(await names({ type: "web" })).toEqual(["Shop"]);
    expect(await names({ environment: "staging", type: "web" })).toEqual([]);
    expect(await names({ origin: "dynamic" })).toEqual([]);
    expect(await names({ origin: "registered" })).toEqual(["Desk", "Shop"]);

    await it.as("admin").clients.setEnabled({ clientId: desk.clientId, enabled: false });
    expect(await names({ state: "off" })).toEqual(["Desk"]);
    await issueTo(shop.clientId);
    expect(await names({ state: "never_used" })).toEqual(["Empty", "Desk"]);
    expect(await names({ state: "silent" })).toEqual([]);
    it.clock.now += 91 * DAY;
    expect(await names({ state: "silent" })).toEqual(["Shop"]);

    expect(await names({ state: "unused" })).toEqual(["Empty", "Desk", "Shop"]);
    await issueTo(shop.clientId);
    expect(await names({ state: "unused" })).toEqual(["Empty", "Desk", "Shop"]);
    expect(await names({ state: "secret_unused" })).toEqual(["Shop"]);
    await it.deps.db.update(it.deps.db.tables.clientSecrets).set({ lastUsedAt: it.clock.now });
    expect(await names({ state: "secret_unused" })).toEqual([]);
    expect(await names({ state: "unused" })).toEqual(["Empty", "Desk"]);
    await register("New");
    expect(await names({ state: "unused" })).toEqual(["Empty", "Desk"]);

    expect(await names({ state: "secret_ends" })).toEqual([]);
    await it.as("admin").clients.addSecret({ clientId: shop.clientId });
    const [secret] = await it.as("admin").clients.secrets({ clientId: shop.clientId });
    await it
      .as("admin")
      .clients.retireSecret({ clientId: shop.clientId, secretId: secret?.id ?? "", expiresInSeconds: 7 * DAY });
    expect(await names({ state: "secret_ends", environment: "development" })).toEqual(["Shop"]);
    const production = webClient({ environment: "production", redirectUris: ["https://shop.example/callback"] });
    await it.as("admin").clients.register({ ...production, applicationId: shop.id });
    expect(await names({ state: "secret_ends", environment: "production" })).toEqual([]);
    expect(await names({ state: "secret_ends", type: "native" })).toEqual([]);
    expect(await names({ environment: "production" })).toEqual(["Shop"]);
  });

  test("CO-19 finds words of the name and description, client ids, redirect hosts and a secret's last four", async () => {
    const redirectUris = ["http://localhost:4000/callback", "https://shop.fjord.example/callback"];
    const shop = await register("Fish shop", { redirectUris }, "Sells 100% fresh_cod (online)");
    await register("Desk");
    for (const query of [
      "fish",
      "SHO",
      "shop fi",
      "fresh",
      "cod",
      "100%",
      "online",
      shop.clientId,
      shop.clientId.slice(0, 6),
    ])
      expect([query, await names({ query })]).toEqual([query, ["Fish shop"]]);
    for (const query of ["shop.fjord", "fjord.exam", "shop.fjord.example"])
      expect([query, await names({ query })]).toEqual([query, ["Fish shop"]]);
    expect(await names({ query: "LOCALHOST:40" })).toEqual(["Desk", "Fish shop"]);
    expect(await names({ query: shop.secret.slice(-4) })).toEqual(["Fish shop"]);
    for (const query of [
      "ish",
      "fish desk",
      "%",
      "callback",
      "1_0",
      "fjord",
      "example/callback",
      "ord.example",
      ".fjordx",
    ])
      expect([query, await names({ query })]).toEqual([query, []]);
    await register("The fish shop next door");
    expect(await names({ query: "fish SHOP" })).toEqual(["Fish shop", "The fish shop next door"]);
    expect(await names({ query: "Fish shop", state: "off" })).toEqual([]);
  });

  test("CO-19 finds every application with a host that thousands of clients have", async () => {
    const { db } = it.deps;
    const { tables } = db;
    await fillBig(it.database, { rows: 1, applications: 900, now: NOON });
    await db.update(tables.clients).set({ redirectUris: ["https://app.many.example/cb"] });
    const { id } = await register("Fish shop", { redirectUris: ["https://many.fjord.example/cb"] });
    async function found(filter: ApplicationFilter): Promise<number> {
      const ids = new Set<string>();
      let cursor: string | null | undefined;
      do {
        const page = await it.as("viewer").applications.list({ ...filter, limit: 100, cursor });
        for (const item of page.items) ids.add(item.id);
        cursor = page.nextCursor;
      } while (cursor);
      return ids.size;
    }
    expect(await found({ query: "app.many" })).toBe(900);
    expect(await found({ query: "many.exam", sort: "name", environment: "staging" })).toBe(900);
    expect(await found({ query: "many" })).toBe(1);
    await it.as("admin").applications.remove({ id });
    expect(await found({ query: "many" })).toBe(0);
  });

  test("an application that is removed leaves nothing behind, and its counts do not fail the next flush", async () => {
    const { id, clientId } = await register("Shop");
    const client = (await it.deps.store.findClient(clientId)) ?? expect.fail("no client");
    await it.as("admin").applications.remove({ id });
    await use((usage) => usage.tokenIssued(client, "client_credentials", "api:read"));
    expect(await names()).toEqual([]);
    await sweep(it.deps.db, NOON);
    expect(await it.deps.db.select().from(it.deps.db.tables.applicationUse)).toEqual([]);
  });
});
