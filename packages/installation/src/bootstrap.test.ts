import { verifyPassword } from "@gatehouse/accounts";
import { sha256 } from "@gatehouse/auth";
import { CONSOLE_CLIENT_ID } from "@gatehouse/console/clients/built-in-clients";
import { findClientRow } from "@gatehouse/console/clients/queries";
import { listClientSecrets } from "@gatehouse/console/clients/secret-queries";
import { isLiveSecret } from "@gatehouse/console/clients/view";
import { openInstallation } from "@gatehouse/console/testing/installation";
import { signUpUnverified } from "@gatehouse/console/testing/sign-up";
import { createUser } from "@gatehouse/console/users/users";
import { engines } from "@gatehouse/db/testing/engines";
import { describe, expect, test } from "vitest";
import { bootstrap, describeAdmin } from "./bootstrap.ts";
import { consoleClientSecret } from "./console-client.ts";

const SECRET = "a secret for the tests, 32 bytes or more";
const settings = (change: object = {}) => ({
  adminUrl: "http://localhost:3001",
  secret: SECRET,
  previousSecrets: [],
  consoleSession: { idleSeconds: 43_200, absoluteSeconds: 1_209_600 },
  firstAdmin: { email: undefined, password: undefined },
  ...change,
});

describe.each(engines)("the first start, on $name", (engine) => {
  async function fresh() {
    const it = await openInstallation(engine);
    // the test installation has an admin; a new one has none
    await it.deps.db.delete(it.deps.db.tables.users);
    return {
      ...it,
      deps: { ...it.deps, config: { issuer: "http://localhost:3000", resource: "http://localhost:3000/api" } },
    };
  }

  test("five processes at once create one console client and one admin, announced once", async () => {
    const it = await fresh();
    const starts = await Promise.all(Array.from({ length: 5 }, () => bootstrap(settings(), it.deps)));
    const told = starts.flatMap(({ made }) => made ?? []);
    expect(told).toHaveLength(1);
    const [admin] = told;
    expect(await verifyPassword({ email: admin?.email ?? "", password: admin?.password ?? "" }, it.deps)).toMatchObject(
      { role: "admin" },
    );
    expect(await it.deps.store.findClient(CONSOLE_CLIENT_ID)).toMatchObject({
      applicationName: "Gatehouse Console",
      environment: "development",
      firstParty: true,
      redirectUris: ["http://localhost:3001/auth/callback"],
      secrets: [{ hash: sha256(consoleClientSecret(SECRET)) }],
    });
    await it.close();
  });

  test("a later start changes nothing unless the configuration changed", async () => {
    const it = await fresh();
    await bootstrap(settings(), it.deps);
    const before = await findClientRow(it.deps.db, CONSOLE_CLIENT_ID);
    it.clock.now += 60;
    expect(await bootstrap(settings(), it.deps)).toEqual({});
    expect(await findClientRow(it.deps.db, CONSOLE_CLIENT_ID)).toEqual(before);

    const moved = { adminUrl: "https://console.example", secret: "another secret, also 32 bytes or more" };
    const config = { issuer: "https://gate.example", resource: "https://gate.example/api" };
    await bootstrap(settings(moved), { ...it.deps, config });
    expect(await findClientRow(it.deps.db, CONSOLE_CLIENT_ID)).toMatchObject({
      environment: "production",
      redirectUris: ["https://console.example/auth/callback"],
      updatedAt: it.clock.now,
    });
    const live = (await listClientSecrets(it.deps.db, [CONSOLE_CLIENT_ID])).filter((one) =>
      isLiveSecret(one, it.clock.now),
    );
    expect(live.map(({ hash }) => hash)).toEqual([sha256(consoleClientSecret(moved.secret))]);
    await it.close();
  });

  test("the console's client has only the current secret, also after going back to an earlier one", async () => {
    const it = await fresh();
    const other = "another secret, also 32 bytes or more";
    for (const secret of [SECRET, other, SECRET, other, SECRET]) {
      it.clock.now += 60;
      await bootstrap(settings({ secret }), it.deps);
      const live = (await listClientSecrets(it.deps.db, [CONSOLE_CLIENT_ID])).filter((one) =>
        isLiveSecret(one, it.clock.now),
      );
      expect(live.map(({ hash }) => hash)).toEqual([sha256(consoleClientSecret(secret))]);
    }
    await it.close();
  });

  test("D22 the console's client is in an environment whose tokens the built-in API accepts", async () => {
    const it = await fresh();
    const { config } = it.deps;
    const loopback = config.issuer;
    const https = "https://gate.example";
    for (const [issuer, accepted, environment] of [
      [loopback, ["production"], "production"],
      [loopback, ["staging", "production"], "staging"],
      [loopback, ["development", "production"], "development"],
      [https, ["development", "staging"], "development"],
      [https, ["development", "production"], "production"],
    ] as const) {
      await bootstrap(settings(), { ...it.deps, config: { ...config, issuer, apiEnvironments: accepted } });
      expect(await findClientRow(it.deps.db, CONSOLE_CLIENT_ID), `${issuer} ${accepted}`).toMatchObject({
        environment,
      });
    }
    await it.close();
  });

  test("the first admin can be configured", async () => {
    const it = await fresh();
    const firstAdmin = { email: "boss@example.com", password: "correct horse battery" };
    expect(await bootstrap(settings({ firstAdmin }), it.deps)).toEqual({
      made: { ...firstAdmin, generated: false, first: true },
    });
    await it.close();
  });

  test("PW-01 a password of GATEHOUSE_ADMIN_PASSWORD that users could not choose is taken with a notice", async () => {
    const it = await fresh();
    const firstAdmin = { email: "boss@example.com", password: "12 letters.." };
    const outcome = await bootstrap(settings({ firstAdmin }), it.deps);
    expect(describeAdmin(outcome)).toMatch(
      /Notice: the password of boss@example\.com has 12 characters\. Users need 15/,
    );
    expect(await verifyPassword(firstAdmin, it.deps)).toMatchObject({ role: "admin" });
    const other = await fresh();
    expect(describeAdmin(await bootstrap(settings(), other.deps))).not.toContain("Notice");
    await other.close();
    await it.close();
  });

  test("somebody else's account is not made an admin", async () => {
    const it = await fresh();
    const mallory = { email: "admin@example.com", name: "Mallory", password: "correct horse battery" };
    await signUpUnverified(mallory, it.deps);
    const asked = bootstrap(settings(), it.deps);
    await expect(asked).rejects.toMatchObject({ message: expect.stringContaining("GATEHOUSE_ADMIN_EMAIL") });
    await expect(asked).rejects.toMatchObject({ message: expect.stringContaining("--adopt") });
    expect(await verifyPassword(mallory, it.deps)).toMatchObject({ role: "user" });
    await it.close();
  });

  test("the admin that the environment names is created once, beside others; an existing account does not change", async () => {
    const it = await fresh();
    await createUser(
      { email: "ada@example.com", name: "Ada", password: "correct horse battery", role: "admin" },
      it.deps,
    );
    expect(await bootstrap(settings(), it.deps)).toEqual({});

    const firstAdmin = { email: "boss@example.com", password: "another good password" };
    const starts = await Promise.all([1, 2, 3].map(() => bootstrap(settings({ firstAdmin }), it.deps)));
    const boss = { email: "boss@example.com", password: firstAdmin.password, generated: false, first: false };
    expect(starts.flatMap(({ made }) => made ?? [])).toEqual([boss]);
    expect(await verifyPassword(boss, it.deps)).toMatchObject({ role: "admin" });
    const changed = { ...firstAdmin, password: "a third good password" };
    const existing = { email: "boss@example.com", role: "admin", disabledAt: null };
    expect(await bootstrap(settings({ firstAdmin: changed }), it.deps)).toEqual({ existing });
    expect(await verifyPassword(boss, it.deps)).toMatchObject({ role: "admin" });

    await signUpUnverified(
      { email: "mallory@example.com", name: "Mallory", password: "correct horse battery" },
      it.deps,
    );
    const mallory = { email: "mallory@example.com", password: undefined };
    expect(await bootstrap(settings({ firstAdmin: mallory }), it.deps)).toMatchObject({ existing: { role: "user" } });
    await it.close();
  });
});
