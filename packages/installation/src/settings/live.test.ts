import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { lifetimesOf } from "@gatehouse/auth";
import { listAuditHistory } from "@gatehouse/console/audit/queries";
import { setInstallationLogo } from "@gatehouse/console/branding/installation-logo";
import { CONSOLE_CLIENT_ID } from "@gatehouse/console/clients/built-in-clients";
import { DomainError } from "@gatehouse/console/domain-error";
import { saveSettings } from "@gatehouse/console/settings/queries";
import { changeSettings, listSettings } from "@gatehouse/console/settings/settings";
import { ADMIN } from "@gatehouse/console/testing/installation";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Installation, openInstallation } from "../installation.ts";
import { prepare } from "../prepare.ts";
import { readSettings } from "./settings.ts";

const SECRET = "a secret for the tests, 32 bytes or more";
const HTTPS = { GATEHOUSE_ISSUER: "https://id.example", GATEHOUSE_ADMIN_URL: "https://console.example" };

/** One pixel. */
const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==",
  "base64",
);

let folder: string;
let opened: Installation[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "gatehouse-settings-"));
  opened = [];
});
afterEach(async () => {
  for (const installation of opened) await installation.close();
  rmSync(folder, { recursive: true });
});

/** One more process on the same database, with these variables. */
async function start(variables: Record<string, string> = {}): Promise<Installation> {
  const settings = readSettings({ GATEHOUSE_DATA_DIR: folder, ...variables }, folder);
  const installation = await openInstallation(settings, { log: { info() {}, warn() {}, error() {} } });
  opened.push(installation);
  await prepare(installation);
  return installation;
}

async function change({ deps }: Installation, values: Record<string, string | null>): Promise<void> {
  const { version } = await listSettings(deps);
  await changeSettings({ values, version }, ADMIN, deps);
}

async function problemsOf(refused: Promise<unknown>): Promise<unknown> {
  const error = await refused.catch((cause: unknown) => cause);
  return error instanceof DomainError ? [error.kind, error.problems] : error;
}

const settingOf = async ({ deps }: Installation, variable: string) =>
  (await listSettings(deps)).settings.find((setting) => setting.variable === variable);

test("CO-67 a saved setting is in force at once here, in another process when it looks, and after a restart", async () => {
  const [one, two] = [await start(), await start()];
  await change(one, { GATEHOUSE_SIGN_UP: "closed", GATEHOUSE_REGISTRATION: "token", GATEHOUSE_AUDIT_DAYS: "90" });
  expect([one.deps.accounts.signUp, one.deps.config.registration, one.settings.current.auditDays]).toEqual([
    "closed",
    "token",
    90,
  ]);
  expect(two.deps.accounts.signUp).toBe("open");
  await two.settings.load();
  expect([two.deps.accounts.signUp, two.deps.config.registration, two.settings.current.auditDays]).toEqual([
    "closed",
    "token",
    90,
  ]);
  expect((await start()).deps.accounts.signUp).toBe("closed");

  await change(one, { GATEHOUSE_SIGN_UP: null });
  expect([one.deps.accounts.signUp, one.deps.config.registration]).toEqual(["open", "token"]);
});

test("CO-67 CO-68 an uploaded logo is in force at once here, in another process when it looks, and after a restart", async () => {
  const [one, two] = [await start(), await start()];
  expect(one.settings.current.brand).toMatchObject({ hasLogo: false, version: 0 });
  await setInstallationLogo({ upload: PNG, version: 0 }, ADMIN, one.deps);
  const { version } = one.settings.current.brand;
  expect([one.settings.current.brand.hasLogo, two.settings.current.brand.hasLogo]).toEqual([true, false]);
  await two.settings.load();
  expect(two.settings.current.brand).toMatchObject({ hasLogo: true, version });
  await change(one, { GATEHOUSE_BRAND_COLOUR: "#0f766e" });
  expect(one.settings.current.brand).toMatchObject({ colour: "#0f766e", hasLogo: true, version });
  const three = await start();
  await three.settings.load();
  expect(three.settings.current.brand).toMatchObject({ colour: "#0f766e", hasLogo: true, version });
  await setInstallationLogo({ upload: null, version }, ADMIN, three.deps);
  expect(three.settings.current.brand.hasLogo).toBe(false);
});

test("CO-67 what the environment sets wins, is named as such and cannot be saved; the rest says where it comes from", async () => {
  const before = await start();
  await change(before, { GATEHOUSE_SIGN_UP: "closed", GATEHOUSE_DELIVERY_DAYS: "7" });
  const it = await start({ GATEHOUSE_SIGN_UP: "invited" });
  expect(it.deps.accounts.signUp).toBe("invited");
  expect(await settingOf(it, "GATEHOUSE_SIGN_UP")).toMatchObject({
    source: "environment",
    value: "invited",
    default: "open",
  });
  expect(await settingOf(it, "GATEHOUSE_DELIVERY_DAYS")).toMatchObject({
    source: "console",
    value: "7",
    default: "30",
  });
  expect(await settingOf(it, "GATEHOUSE_AUDIT_DAYS")).toMatchObject({
    source: "default",
    value: "400",
    default: "400",
  });
  expect(await problemsOf(change(it, { GATEHOUSE_SIGN_UP: "open" }))).toMatchObject([
    "invalid",
    [{ path: "GATEHOUSE_SIGN_UP" }],
  ]);
  expect(await problemsOf(change(it, { GATEHOUSE_ISSUER: "https://evil.example" }))).toMatchObject([
    "invalid",
    [{ path: "GATEHOUSE_ISSUER" }],
  ]);
});

test("CO-69 a value outside its bounds, or one that does not go with the others, is refused at its field and changes nothing", async () => {
  const it = await start({ ...HTTPS, GATEHOUSE_SECRET: SECRET });
  const refused = async (values: Record<string, string>) => problemsOf(change(it, values));
  expect(await refused({ GATEHOUSE_AUDIT_DAYS: "3" })).toMatchObject(["invalid", [{ path: "GATEHOUSE_AUDIT_DAYS" }]]);
  expect(await refused({ GATEHOUSE_SIGN_UP_DOMAINS: "*" })).toMatchObject([
    "invalid",
    [{ path: "GATEHOUSE_SIGN_UP_DOMAINS" }],
  ]);
  const needsMail = { path: "GATEHOUSE_EMAIL_VERIFICATION", message: expect.stringContaining("without mail") };
  expect(await refused({ GATEHOUSE_EMAIL_VERIFICATION: "first" })).toMatchObject(["invalid", [needsMail]]);
  const codeNeedsMail = { path: "GATEHOUSE_EMAIL_SIGN_IN", message: expect.stringContaining("without mail") };
  expect(await refused({ GATEHOUSE_EMAIL_SIGN_IN: "on" })).toMatchObject(["invalid", [codeNeedsMail]]);
  expect(it.settings.current.auditDays).toBe(400);
  expect(await listSettings(it.deps)).toMatchObject({ version: 0 });
});

test("WA-12 EM-02 sign-in by mailed code is refused at the start where mail is off, and allowed with SMTP or the mailbox of loopback", async () => {
  const on = { GATEHOUSE_EMAIL_SIGN_IN: "on" };
  await expect(start({ ...HTTPS, ...on, GATEHOUSE_SECRET: SECRET })).rejects.toThrow(
    "GATEHOUSE_EMAIL_SIGN_IN cannot be on without mail",
  );
  expect((await start(on)).settings.current.accounts.emailSignIn).toBe(true);
});

test("CO-67 saved settings that do not fit the environment stop the start, and a variable replaces them", async () => {
  const it = await start();
  await saveSettings(it.deps.db, { GATEHOUSE_EMAIL_VERIFICATION: "first" }, { version: 0, also: [] });
  const secret = { GATEHOUSE_SECRET: it.settings.current.secret };
  await expect(start({ ...HTTPS, ...secret })).rejects.toThrow(
    /saved in the console do not fit.*GATEHOUSE_EMAIL_VERIFICATION/,
  );
  await expect(start({ ...HTTPS, ...secret, GATEHOUSE_EMAIL_VERIFICATION: "later" })).resolves.toBeDefined();
});

test("CO-45 CO-64 a save names the version that it was read at, and is in the audit log with what was there before", async () => {
  const it = await start();
  await change(it, { GATEHOUSE_SIGN_UP: "invited" });
  const stale = changeSettings({ values: { GATEHOUSE_SIGN_UP: "closed" }, version: 0 }, ADMIN, it.deps);
  await expect(stale).rejects.toMatchObject({
    kind: "conflict",
    conflict: { theirs: { GATEHOUSE_SIGN_UP: "invited" }, version: 1, by: "admin" },
  });
  const [row] = await listAuditHistory(it.deps.db, { objects: ["settings"], limit: 1 });
  expect(row).toMatchObject({
    action: "settings.update",
    detail: { changes: { GATEHOUSE_SIGN_UP: { before: null, after: "invited" } } },
  });
});

test("CO-89 the console's session ends after the idle and the absolute time that are set", async () => {
  const it = await start();
  const lifetimes = async () => {
    const client = await it.deps.store.findClient(CONSOLE_CLIENT_ID);
    return (
      client && [
        lifetimesOf(client).refreshIdleSeconds,
        lifetimesOf(client).refreshAbsoluteSeconds,
        client.options.defaultMaxAge,
      ]
    );
  };
  expect(await lifetimes()).toEqual([12 * 3_600, 14 * 86_400, 14 * 86_400]);
  await change(it, { GATEHOUSE_CONSOLE_IDLE_HOURS: "2", GATEHOUSE_CONSOLE_SESSION_DAYS: "3" });
  expect(await lifetimes()).toEqual([2 * 3_600, 3 * 86_400, 3 * 86_400]);
});

test("CO-67 secrets and passwords of the environment are not shown", async () => {
  const it = await start({
    GATEHOUSE_SMTP_URL: "smtps://mailer:hunter2@mail.example.com",
    GATEHOUSE_MAIL_FROM: "Shop <shop@example.com>",
  });
  const { settings } = await listSettings(it.deps);
  expect(JSON.stringify(settings)).not.toContain("hunter2");
  expect(JSON.stringify(settings)).not.toContain(it.settings.current.secret);
  expect(await settingOf(it, "GATEHOUSE_SMTP_URL")).toMatchObject({
    value: "smtps://mailer@mail.example.com:465",
    source: "environment",
  });
});
