import { sha256 } from "@gatehouse/auth";
import { findClientRow, listClientSecrets } from "@gatehouse/db";
import { engines } from "@gatehouse/db/testing";
import { describe, expect, test } from "vitest";
import { bootstrap } from "./bootstrap.ts";
import { CONSOLE_CLIENT_ID, consoleClientSecret } from "./console-client.ts";
import { isLiveSecret } from "./operations/client-view.ts";
import { createUser, verifyPassword } from "./operations/users.ts";
import { openInstallation } from "./testing/installation.ts";

const SECRET = "a secret for the tests, 32 bytes or more";
const settings = (change: object = {}) => ({
  adminUrl: "http://localhost:3001",
  secret: SECRET,
  firstAdmin: { email: undefined, password: undefined },
  ...change,
});

describe.each(engines)("the first start, on $name", (engine) => {
  async function fresh() {
    const it = await openInstallation(engine);
    // the scene brings an admin; a fresh installation has none
    await it.deps.handle.db.delete(it.deps.handle.tables.users);
    return { ...it, deps: { ...it.deps, config: { issuer: "http://localhost:3000", resource: "http://localhost:3000/api" } } };
  }

  test("five processes at once make one console client and one admin, told once", async () => {
    const it = await fresh();
    const starts = await Promise.all(Array.from({ length: 5 }, () => bootstrap(settings(), it.deps)));
    const told = starts.flatMap(({ firstAdmin }) => firstAdmin ?? []);
    expect(told).toHaveLength(1);
    const [admin] = told;
    expect(await verifyPassword({ email: admin?.email ?? "", password: admin?.password ?? "" }, it.deps)).toMatchObject({ role: "admin" });
    expect(await it.deps.store.findClient(CONSOLE_CLIENT_ID)).toMatchObject({
      applicationName: "Gatehouse Console",
      environment: "development",
      firstParty: true,
      redirectUris: ["http://localhost:3001/auth/callback"],
      secrets: [{ hash: sha256(consoleClientSecret(SECRET)) }],
    });
    await it.close();
  });

  test("a later start changes nothing, or follows the configuration", async () => {
    const it = await fresh();
    await bootstrap(settings(), it.deps);
    const before = await findClientRow(it.deps.handle, CONSOLE_CLIENT_ID);
    it.clock.now += 60;
    expect(await bootstrap(settings(), it.deps)).toEqual({ firstAdmin: undefined });
    expect(await findClientRow(it.deps.handle, CONSOLE_CLIENT_ID)).toEqual(before);

    const moved = { adminUrl: "https://console.example", secret: "another secret, also 32 bytes or more" };
    const config = { issuer: "https://gate.example", resource: "https://gate.example/api" };
    await bootstrap(settings(moved), { ...it.deps, config });
    expect(await findClientRow(it.deps.handle, CONSOLE_CLIENT_ID)).toMatchObject({
      environment: "production",
      redirectUris: ["https://console.example/auth/callback"],
      updatedAt: it.clock.now,
    });
    const live = (await listClientSecrets(it.deps.handle, [CONSOLE_CLIENT_ID])).filter((one) => isLiveSecret(one, it.clock.now));
    expect(live.map(({ hash }) => hash)).toEqual([sha256(consoleClientSecret(moved.secret))]);
    await it.close();
  });

  test("the first admin may be given", async () => {
    const it = await fresh();
    const firstAdmin = { email: "boss@example.com", password: "correct horse battery" };
    expect(await bootstrap(settings({ firstAdmin }), it.deps)).toEqual({ firstAdmin: { ...firstAdmin, generated: false } });
    await it.close();
  });

  test("somebody else's account is not made an admin", async () => {
    const it = await fresh();
    await createUser({ email: "admin@example.com", name: "Mallory", password: "correct horse battery", role: "user" }, it.deps);
    await expect(bootstrap(settings(), it.deps)).rejects.toMatchObject({ message: expect.stringContaining("GATEHOUSE_ADMIN_EMAIL") });
    await it.close();
  });
});
