import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { lifetimesOf } from "@gatehouse/auth";
import { CONSOLE_CLIENT_ID } from "@gatehouse/console/clients/built-in-clients";
import { changeSettings, listSettings } from "@gatehouse/console/settings/settings";
import { ADMIN } from "@gatehouse/console/testing/installation";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Installation, openInstallation } from "../installation.ts";
import { prepare } from "../prepare.ts";
import { readSettings } from "./settings.ts";
import { SHOWN_SETTINGS } from "./table.ts";

type Reader = {
  /** A value other than the default. */
  value: string;
  /** What everything that depends on the setting has now. */
  read: (installation: Installation) => unknown;
  expected: unknown;
};

/**
 * Everything that depends on a setting which admins can change, by its variable. Pages and scheduled tasks read
 * `settings.current`.
 */
const READERS: Record<string, Reader> = {
  GATEHOUSE_DEFAULT_LOCALE: {
    value: "fr",
    read: ({ settings, deps }) => [settings.current.defaultLocale, deps.accounts.defaultLocale],
    expected: ["fr", "fr"],
  },
  GATEHOUSE_CONSOLE_IDLE_HOURS: {
    value: "2",
    read: async ({ settings, deps }) => {
      const client = await deps.store.findClient(CONSOLE_CLIENT_ID);
      return [settings.current.consoleSession.idleSeconds, client && lifetimesOf(client).refreshIdleSeconds];
    },
    expected: [7_200, 7_200],
  },
  GATEHOUSE_CONSOLE_SESSION_DAYS: {
    value: "3",
    read: async ({ deps }) => {
      const client = await deps.store.findClient(CONSOLE_CLIENT_ID);
      return client && [lifetimesOf(client).refreshAbsoluteSeconds, client.options.defaultMaxAge];
    },
    expected: [259_200, 259_200],
  },
  GATEHOUSE_PRODUCT_NAME: {
    value: "Wolpertinger",
    read: async ({ settings, deps }) => [
      settings.current.productName,
      deps.accounts.productName,
      mailOf(deps).subject.includes("Wolpertinger"),
      await deps.passwordRules.problemsOf("wolpertingerwolpertinger", { email: "ada@example.com" }),
    ],
    expected: ["Wolpertinger", "Wolpertinger", true, [{ code: "personal" }]],
  },
  GATEHOUSE_BRAND_COLOUR: {
    value: "#0f766e",
    read: ({ settings, deps }) => [settings.current.brand.colour, mailOf(deps).html.includes("#1f5fd6")],
    expected: ["#0f766e", false],
  },
  GATEHOUSE_TERMS_URL: {
    value: "https://shop.example/terms",
    read: ({ settings, deps }) => [
      settings.current.brand.termsUrl,
      mailOf(deps).html.includes("https://shop.example/terms"),
    ],
    expected: ["https://shop.example/terms", true],
  },
  GATEHOUSE_PRIVACY_URL: {
    value: "https://shop.example/privacy",
    read: ({ settings, deps }) => [
      settings.current.brand.privacyUrl,
      mailOf(deps).html.includes("https://shop.example/privacy"),
    ],
    expected: ["https://shop.example/privacy", true],
  },
  GATEHOUSE_SUPPORT_URL: {
    value: "https://shop.example/help",
    read: ({ settings, deps }) => [
      settings.current.brand.supportUrl,
      mailOf(deps).html.includes("https://shop.example/help"),
    ],
    expected: ["https://shop.example/help", true],
  },
  GATEHOUSE_SIGN_UP: { value: "invited", read: ({ deps }) => deps.accounts.signUp, expected: "invited" },
  GATEHOUSE_SIGN_UP_DOMAINS: {
    value: "shop.example",
    read: ({ deps }) => deps.accounts.signUpDomains,
    expected: ["shop.example"],
  },
  GATEHOUSE_EMAIL_VERIFICATION: {
    value: "first",
    read: ({ deps }) => deps.accounts.emailVerification,
    expected: "first",
  },
  GATEHOUSE_EMAIL_SIGN_IN: {
    value: "on",
    read: ({ deps }) => [deps.accounts.emailSignIn, deps.config.levels?.length],
    expected: [true, 4],
  },
  GATEHOUSE_DELETION_GRACE_DAYS: { value: "5", read: ({ deps }) => deps.accounts.deletionGraceDays, expected: 5 },
  GATEHOUSE_MFA: { value: "required", read: ({ deps }) => deps.config.secondFactor?.everybody, expected: true },
  GATEHOUSE_MFA_ROLES: { value: "viewer", read: ({ deps }) => deps.config.secondFactor?.roles, expected: ["viewer"] },
  GATEHOUSE_REGISTRATION: { value: "open", read: ({ deps }) => deps.config.registration, expected: "open" },
  GATEHOUSE_REGISTRATION_SCHEMES: { value: "none", read: ({ deps }) => deps.config.registrationSchemes, expected: [] },
  GATEHOUSE_CLIENT_METADATA_DOCUMENTS: {
    value: "off",
    read: ({ deps }) => deps.config.clientMetadataDocuments,
    expected: false,
  },
  GATEHOUSE_SMTP_URL: {
    value: "smtp://mailer:hunter2@127.0.0.1:1025",
    read: ({ settings, deps }) => [settings.current.mail.delivery.kind, deps.outbox?.delivery],
    expected: ["smtp", "smtp"],
  },
  GATEHOUSE_MAIL_FROM: {
    value: "Shop <shop@example.com>",
    read: ({ settings }) => settings.current.mail.sender,
    expected: { name: "Shop", address: "shop@example.com" },
  },
  GATEHOUSE_MAIL_BURST: { value: "20", read: ({ settings }) => settings.current.mail.burst, expected: 20 },
  GATEHOUSE_DELIVERY_DAYS: { value: "7", read: ({ settings }) => settings.current.inbox.bodyDays, expected: 7 },
  GATEHOUSE_DELIVERY_MAX_MB: {
    value: "20",
    read: ({ settings }) => settings.current.inbox.maxBytes,
    expected: 20_000_000,
  },
  GATEHOUSE_SIGN_IN_DAYS: { value: "30", read: ({ settings }) => settings.current.signInDays, expected: 30 },
  GATEHOUSE_AUDIT_DAYS: { value: "90", read: ({ settings }) => settings.current.auditDays, expected: 90 },
};

/** A mail of the installation, as the outbox would send it now. */
function mailOf({ mail, outbox }: Installation["deps"]) {
  const data = { at: 1_800_000_000, userAgent: null, address: null };
  const { payload, ...row } = mail.compose("password_changed", {
    to: "ada@example.com",
    locale: "en",
    trusted: true,
    data,
  });
  const rendered = outbox?.read({ ...row, payload } as Parameters<NonNullable<typeof outbox>["read"]>[0]);
  if (!rendered) throw new Error("the mail cannot be read");
  return rendered;
}

let folder: string;
let opened: Installation[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "gatehouse-readers-"));
  opened = [];
});
afterEach(async () => {
  for (const installation of opened) await installation.close();
  rmSync(folder, { recursive: true });
});

/** One more process on the same database. */
async function start(): Promise<Installation> {
  const log = { info() {}, warn() {}, error() {} };
  const installation = await openInstallation(readSettings({ GATEHOUSE_DATA_DIR: folder }, folder), { log });
  opened.push(installation);
  await prepare(installation);
  return installation;
}

/** What all readers have now, by the variable. */
async function readAll(installation: Installation): Promise<Record<string, unknown>> {
  const entries = Object.entries(READERS).map(
    async ([variable, { read }]) => [variable, await read(installation)] as const,
  );
  return Object.fromEntries(await Promise.all(entries));
}

test("CO-67 every setting that admins can change has its readers here", () => {
  expect(Object.keys(READERS).toSorted()).toEqual(
    SHOWN_SETTINGS.filter(({ changeable }) => changeable)
      .map(({ variable }) => variable)
      .toSorted(),
  );
});

test("CO-67 CO-68 a change in the console reaches every reader, here at once and in another process when it looks", async () => {
  const [one, two] = [await start(), await start()];
  const before = await readAll(two);
  const expected = Object.fromEntries(Object.entries(READERS).map(([variable, reader]) => [variable, reader.expected]));
  for (const variable of Object.keys(READERS)) expect(before[variable], variable).not.toEqual(expected[variable]);

  const values = Object.fromEntries(Object.entries(READERS).map(([variable, { value }]) => [variable, value]));
  const { version } = await listSettings(one.deps);
  await changeSettings({ values, version }, ADMIN, one.deps);
  expect(await readAll(one)).toEqual(expected);
  await two.settings.load();
  expect(await readAll(two)).toEqual(expected);
});
