import { mailedDataPurpose, secretPurpose, totpPurpose, UPSTREAM_ID_TOKEN } from "@gatehouse/accounts";
import { createSeal, keyIdOf, type Seal, SIGNING_KEY_PURPOSE, sha256 } from "@gatehouse/auth";
import { listSealedRows } from "@gatehouse/console/audit/chain-queries";
import { sealAuditLog } from "@gatehouse/console/audit/sealer";
import { verifyAuditLog } from "@gatehouse/console/audit/verify";
import { findSavedSettings, saveSettings } from "@gatehouse/console/settings/queries";
import { openValues, sealValues } from "@gatehouse/console/settings/sealed";
import { ADMIN, type Installation, NOON, openInstallation } from "@gatehouse/console/testing/installation";
import { addWebhookSecret, listWebhookSecrets } from "@gatehouse/console/webhook-secrets/webhook-secrets";
import type { SealedColumnName } from "@gatehouse/db/stores/seal/sealed-columns";
import { listSealedValues, sealedValueReplacement } from "@gatehouse/db/stores/seal/sealed-values";
import { engines } from "@gatehouse/db/testing/engines";
import { mailPurpose } from "@gatehouse/mail";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { acceptSecret, assertSecretInForce, isSecretInForce, MissingSecretError } from "../secret-in-force.ts";
import { SEALED_BATCH, SEALED_COLUMN_NAMES } from "./every-value.ts";
import { rewrapSealedValues } from "./rewrap.ts";
import { startKeyReports } from "./servers.ts";
import { sealStatus } from "./status.ts";

const [OLD, NEW] = ["the old secret of the tests, 32 bytes", "the new secret of the tests, 32 bytes"];
const [oldId, newId] = [keyIdOf(OLD), keyIdOf(NEW)];
const silent = { info() {}, warn() {}, error() {} };
const quiet = () => {};

describe.each(engines)("OP-15 rotation of the secret, on $name", (engine) => {
  let it: Installation;
  beforeEach(async () => {
    it = await openInstallation(engine);
  });
  afterEach(() => it.close());

  /** A process with this secret, and others that still count. */
  const started = (secret: string, ...previous: string[]) => ({
    ...it.deps,
    seal: createSeal(secret, it.deps.random, previous),
  });

  /** One sealed value in each column, and in the settings and the audit log. */
  async function inUse({ seal, ...deps }: ReturnType<typeof started>) {
    const { db } = deps;
    const t = db.tables;
    const [hash, mail] = [sha256("mailed"), "mail-1"];
    await addWebhookSecret({ provider: "stripe", secret: "whsec_test_0123456789" }, ADMIN, { ...deps, seal });
    const key = {
      kid: "kid",
      algorithm: "ES256",
      publicJwk: { kty: "EC" },
      createdAt: NOON,
      activeFrom: NOON,
    } as const;
    await db.insert(t.signingKeys).values({ ...key, sealedPrivateJwk: seal.seal(SIGNING_KEY_PURPOSE, "private") });
    const provider = { id: "corp", preset: "oidc", name: "Corp", clientId: "c", settings: {}, position: 1 } as const;
    const stamps = { createdAt: NOON, updatedAt: NOON };
    const secret = seal.seal(secretPurpose("corp"), "provider's");
    await db.insert(t.signInProviders).values({ ...provider, ...stamps, enabled: true, secret });
    const totp = seal.seal(totpPurpose("admin"), "JBSWY3DP");
    await db.insert(t.totpSecrets).values({ userId: "admin", secret: totp, lastStep: 0, createdAt: NOON });
    const times = { createdAt: NOON, expiresAt: NOON + 600 };
    const data = seal.seal(mailedDataPurpose({ hash, purpose: "reset" }), '"waits"');
    await db.insert(t.mailedTokens).values({ hash, purpose: "reset", email: "a@example.com", data, ...times });
    const payload = seal.seal(mailPurpose(mail), "{}");
    const envelope = { id: mail, kind: "code", recipient: "a@example.com", locale: "en", state: "queued" } as const;
    await db.insert(t.mails).values({ ...envelope, createdAt: NOON, payload });
    const session = { hash: sha256("session"), id: "s", userId: "admin", authTime: NOON, lastSeenAt: NOON };
    const upstream = { provider: "corp", idToken: seal.seal(UPSTREAM_ID_TOKEN, "id token") };
    await db.insert(t.sessions).values({ ...session, ...times, absoluteExpiresAt: NOON + 600, upstream });
    const url = "smtp://user:password@mail.example";
    await saveSettings(db, sealValues({ GATEHOUSE_SMTP_URL: url }, seal), { version: 0, also: [] });
    await sealAuditLog({ ...deps, seal });
  }

  /** The clear text of everything, as a process with this seal reads it; undefined where it does not open. */
  async function readEverything(seal: Seal) {
    const { db } = it.deps;
    const purposes: Record<string, string> = {
      signing_keys: SIGNING_KEY_PURPOSE,
      sign_in_providers: secretPurpose("corp"),
      totp_secrets: totpPurpose("admin"),
      mailed_tokens: mailedDataPurpose({ hash: sha256("mailed"), purpose: "reset" }),
      mails: mailPurpose("mail-1"),
      sessions: UPSTREAM_ID_TOKEN,
    };
    const read: Record<string, string | undefined> = {};
    for (const [name, purpose] of Object.entries(purposes)) {
      const [value] = await listSealedValues(db, name as SealedColumnName, "", 1);
      read[name] = seal.open(purpose, value?.sealed ?? "");
    }
    const [webhook] = await listWebhookSecrets({}, { ...it.deps, seal });
    read["webhook_secrets"] = webhook?.state === "unreadable" ? undefined : "opens";
    read["settings"] = openValues((await findSavedSettings(db)).values, seal).values["GATEHOUSE_SMTP_URL"];
    return read;
  }

  const nothing = (of: object) => Object.fromEntries(Object.keys(of).map((name) => [name, undefined]));

  test("rewrap seals every value again: the new secret alone then opens everything, and the old one nothing", async () => {
    await assertSecretInForce(started(OLD));
    await inUse(started(OLD));
    const before = await readEverything(started(OLD).seal);
    expect(Object.values(before)).not.toContain(undefined);
    expect(Object.keys(before).toSorted()).toEqual([...SEALED_COLUMN_NAMES, "settings"].toSorted());

    const both = started(NEW, OLD);
    await assertSecretInForce(both);
    expect(await readEverything(both.seal)).toEqual(before);
    const done = await rewrapSealedValues(ADMIN, quiet, both);
    expect(done).toMatchObject({ keyId: newId, unreadable: {}, released: [oldId] });
    expect(Object.keys(done.rewrapped).toSorted()).toEqual(Object.keys(before).toSorted());

    await assertSecretInForce(started(NEW));
    expect(await readEverything(started(NEW).seal)).toEqual(before);
    expect(await readEverything(started(OLD).seal)).toEqual(nothing(before));
    await expect(assertSecretInForce(started(OLD))).rejects.toThrow("another GATEHOUSE_SECRET");
    expect(await rewrapSealedValues(ADMIN, quiet, started(NEW))).toMatchObject({ rewrapped: {}, released: [] });
  });

  test("no server starts without a secret that rows need, also when the new one is in force; then it says what to do", async () => {
    await assertSecretInForce(started(OLD));
    await assertSecretInForce(started(NEW, OLD));
    await inUse(started(NEW, OLD));
    await expect(assertSecretInForce(started(OLD))).rejects.toThrow(MissingSecretError);
    await expect(assertSecretInForce(started(OLD))).rejects.toThrow(
      new RegExp(`key id ${newId}.*GATEHOUSE_SECRET_PREVIOUS.*seal rewrap`),
    );
    expect(await isSecretInForce(started(OLD))).toBe(false);
    await assertSecretInForce(started(OLD, NEW));
  });

  test("status counts values by the id of their secret, and says which ones servers need and have", async () => {
    await assertSecretInForce(started(OLD));
    await inUse(started(OLD));
    const both = started(NEW, OLD);
    await assertSecretInForce(both);
    const reports = startKeyReports(both, silent);
    await expect.poll(async () => (await sealStatus(both)).servers).toMatchObject([{ keys: [newId, oldId] }]);
    const status = await sealStatus(both);
    expect(status).toMatchObject({
      keys: [
        { keyId: newId, state: "current", required: true, values: {} },
        { keyId: oldId, state: "previous", required: true, values: { totp_secrets: 1, sessions: 1, settings: 1 } },
      ],
      auditLog: "previous",
    });
    await rewrapSealedValues(ADMIN, quiet, both);
    expect(await sealStatus(started(NEW))).toMatchObject({
      keys: [{ keyId: newId, values: { totp_secrets: 1, mails: 1 } }],
      auditLog: "current",
    });
    await reports.stop();
    expect((await sealStatus(both)).servers).toEqual([]);
  });

  test("rewrap waits until every running server seals with the new secret", async () => {
    await assertSecretInForce(started(OLD));
    const warned: string[] = [];
    const log = { ...silent, warn: (_: object, message: string) => void warned.push(message) };
    const reports = startKeyReports(started(OLD), silent);
    await expect.poll(async () => (await sealStatus(started(OLD))).servers.length).toBe(1);
    const both = started(NEW, OLD);
    await assertSecretInForce(both);
    await expect(rewrapSealedValues(ADMIN, quiet, both)).rejects.toThrow(
      new RegExp(`process ${process.pid} on .* does not know it, and seals with ${oldId}`),
    );
    expect(warned).toEqual([]);
    // Killed: it counts for three minutes, then it is forgotten
    it.clock.now += 181;
    expect(await rewrapSealedValues(ADMIN, quiet, both)).toMatchObject({ released: [oldId] });
    await reports.stop();
    await startKeyReports(both, log).stop();
    expect(warned).toEqual([]);
  });

  test("a server that still seals with a released secret registers it again", async () => {
    await assertSecretInForce(started(OLD));
    await rewrapSealedValues(ADMIN, quiet, started(NEW, OLD));
    await startKeyReports(started(OLD, NEW), silent).stop();
    await expect(assertSecretInForce(started(NEW))).rejects.toThrow(MissingSecretError);
  });

  test("an interrupted rewrap goes on where it was, and what a server writes meanwhile is neither lost nor left", async () => {
    await assertSecretInForce(started(OLD));
    const { seal, db } = started(OLD);
    const users = Array.from({ length: SEALED_BATCH + 20 }, (_, at) => `user-${String(at).padStart(4, "0")}`);
    const person = {
      name: "x",
      passwordHash: "none",
      role: "user",
      registeredBy: "operator",
      createdAt: NOON,
    } as const;
    await db
      .insert(db.tables.users)
      .values(users.map((id) => ({ ...person, id, email: `${id}@example.com`, passwordSetAt: NOON })));
    const totp = (id: string, secret: string) => ({ userId: id, secret, lastStep: 0, createdAt: NOON });
    await db.insert(db.tables.totpSecrets).values(users.map((id) => totp(id, seal.seal(totpPurpose(id), `old ${id}`))));

    const both = started(NEW, OLD);
    await assertSecretInForce(both);
    const crash = () => {
      throw new Error("killed");
    };
    await expect(rewrapSealedValues(ADMIN, crash, both)).rejects.toThrow("killed");
    const half = (await sealStatus(both)).keys.map(({ values }) => values["totp_secrets"]);
    expect(half).toEqual([SEALED_BATCH, 20]);

    // Nobody can open what another secret sealed, so it stays, and is reported.
    const [last] = await listSealedValues(db, "totp_secrets", "user-0518", 1);
    if (!last) throw new Error("no last row");
    const foreign = it.deps.seal.seal(totpPurpose(last.key), "foreign");
    await db.transaction([sealedValueReplacement(db, "totp_secrets", last, foreign)]);
    expect(await db.transaction([sealedValueReplacement(db, "totp_secrets", last, "late")])).toEqual([[]]);
    expect(await rewrapSealedValues(ADMIN, quiet, both)).toMatchObject({
      rewrapped: { totp_secrets: 19 },
      unreadable: { totp_secrets: 1 },
    });
    const [first] = await listSealedValues(db, "totp_secrets", "user-0499", 1);
    expect(started(NEW).seal.open(totpPurpose("user-0500"), first?.sealed ?? "")).toBe("old user-0500");
  });

  test("CO-65 the audit log goes on under the key of its end while both count, changes with the rewrap, and stays verifiable", async () => {
    const [prepared, switched] = [started(OLD, NEW), started(NEW, OLD)];
    await assertSecretInForce(started(OLD));
    await inUse(started(OLD));
    await assertSecretInForce(switched);
    const write = async (deps: ReturnType<typeof started>) => {
      await addWebhookSecret({ provider: "github", secret: `secret ${await end()}` }, ADMIN, deps);
      await sealAuditLog(deps);
    };
    const rows = () => listSealedRows(it.deps.db, 1, 100);
    const end = async () => (await rows()).length;
    await write(switched);
    await write(prepared);
    expect(new Set((await rows()).map(({ keyId }) => keyId)).size).toBe(1);
    for (const deps of [prepared, switched]) expect(await verifyAuditLog({}, deps)).toMatchObject({ state: "intact" });

    const begun = await verifyAuditLog({ maxRows: 1 }, switched);
    await rewrapSealedValues(ADMIN, quiet, switched);
    await sealAuditLog(prepared);
    await write(switched);
    const after = started(NEW);
    const segment = (await rows()).find(({ action }) => action === "audit.new_secret");
    expect(segment).toMatchObject({ actorName: "admin" });
    for (const cursor of [null, begun.cursor])
      expect(await verifyAuditLog({ cursor }, after)).toMatchObject({ state: "intact" });
    expect(await verifyAuditLog({}, started(OLD))).toMatchObject({ state: "broken" });
    expect((await rows()).filter(({ action }) => action === "secret.rewrap")).toMatchObject([
      { detail: { key: newId, released: [oldId] } },
    ]);
  });

  test("a lost secret is given up by accept-new, also in the middle of a rotation", async () => {
    await assertSecretInForce(started(OLD));
    await inUse(started(OLD));
    await assertSecretInForce(started(NEW, OLD));
    await sealAuditLog(started(NEW, OLD));
    await expect(assertSecretInForce(started(NEW))).rejects.toThrow("another GATEHOUSE_SECRET");
    expect(await acceptSecret({}, ADMIN, started(NEW))).toMatchObject({ accepted: true });
    await assertSecretInForce(started(NEW));
    expect(await sealStatus(started(NEW))).toMatchObject({
      keys: [
        { keyId: newId, required: true },
        { keyId: oldId, state: "missing", required: false, values: { totp_secrets: 1 } },
      ],
    });
  });
});
