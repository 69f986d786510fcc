/** @jsxImportSource preact */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { LOCALE_NAMES, LOCALES, moment } from "@gatehouse/languages";
import type { VNode } from "preact";
import { renderToString } from "preact-render-to-string";
import { describe, expect, test } from "vitest";
import { ActivityPage } from "./account/activity.tsx";
import { AppsPage } from "./account/apps.tsx";
import type { AccountFrame } from "./account/layout.tsx";
import { ProfilePage } from "./account/profile.tsx";
import { SecurityPage } from "./account/security/page.tsx";
import { SessionsPage } from "./account/sessions.tsx";
import { ConsentPage } from "./consent.tsx";
import { DeviceCodePage, DeviceConfirmPage, DeviceDonePage } from "./device.tsx";
import { FormPostPage } from "./form-post.tsx";
import type { Frame } from "./frame.ts";
import { HomePage } from "./home.tsx";
import { ConfirmLogoutPage, LogoutExpiredPage, SignedOutPage } from "./logout.tsx";
import { ExpiredPage, LeavePage, RefusedPage } from "./message.tsx";
import { AlsoSignOutPage } from "./signed-out.tsx";
import { frame } from "./testing/frame.ts";
import { hasPlainLetters, pseudoTexts } from "./testing/pseudo-texts.ts";

const NOON = 1_800_000_000;
const leave = { to: "/", host: "1" };
const user = {
  id: "1",
  email: "1",
  name: "1",
  role: "user",
  disabledAt: null,
  accessEpoch: 0,
  signInEpoch: 0,
  emailVerifiedAt: null,
  locale: null,
} as const;
const client = { clientId: "1", applicationName: "1", environment: "staging", type: "web" } as const;
const scopes = [{ name: "1", description: "1", resource: null }]; // its words are of its definition: see scopes.test.ts
const device = {
  userCode: "1",
  client,
  scopes,
  requestedAt: NOON,
  expiresAt: NOON,
  requestedAddress: "1",
  requestedUserAgent: "1",
  shown: "1",
  testRun: true,
};
const consent = {
  request: "1",
  client,
  redirectHost: "1",
  unverified: true,
  selfDescribed: { documentHost: "1" },
  testRun: true,
  onThisMachine: true,
};
const session = {
  hash: "1",
  id: "1",
  userId: "1",
  authTime: NOON,
  acr: "1",
  amr: [],
  method: "passkey",
  secondAt: null,
  persistent: true,
  upstream: null,
  userAgent: "Chrome/1 Linux",
  address: null,
  createdAt: NOON,
  lastSeenAt: NOON,
  expiresAt: NOON,
  absoluteExpiresAt: NOON,
  accessEpoch: 0,
  revokedAt: null,
} as unknown as Parameters<typeof SessionsPage>[0]["sessions"][number];
const app = {
  applicationId: "1",
  applicationName: "1",
  environment: "staging" as const,
  clients: [{ clientId: "1", name: "1" }],
  scopes,
  allowedAt: NOON,
  lastUsedAt: null,
};
const event = {
  id: "1",
  userId: "1",
  at: NOON,
  kind: "password_changed",
  userAgent: null,
  address: null,
  detail: { name: "1" },
} as const;

/**
 * Pages in one language. What comes from people and clients is the figure 1, so that a letter can only come from a
 * text.
 */
function pagesIn(one: Frame): Record<string, VNode> {
  const form = { frame: one, csrf: "1", email: "1" };
  const account: AccountFrame = { ...form, user, picture: "/1", consoleUrl: "/1", notice: undefined };
  return {
    home: <HomePage {...form} consoleUrl="/1" />,
    consent: (
      <ConsentPage {...form} view={{ ...consent, scopes: scopes.map((scope) => ({ ...scope, isNew: true })) }} />
    ),
    device: <DeviceCodePage {...form} />,
    "device confirm": <DeviceConfirmPage {...form} view={device} now={NOON} />,
    "device done": <DeviceDonePage frame={one} outcome="approved" />,
    logout: <ConfirmLogoutPage {...form} request="1" applicationName={undefined} />,
    "logout expired": <LogoutExpiredPage frame={one} />,
    "signed out of a provider": (
      <AlsoSignOutPage frame={one} provider={{ name: "1", url: "/1" }} onwards={{ label: "1", href: "/1" }} />
    ),
    "signed out": <SignedOutPage frame={one} leave={leave} />,
    refused: <RefusedPage frame={one} errorId="1" />,
    leave: <LeavePage frame={one} denied={false} detail={undefined} errorId="1" leave={leave} />,
    "form post": <FormPostPage frame={one} to="/1" host="1" fields={{ code: "1" }} />,
    expired: <ExpiredPage frame={one} errorId="1" restart="/1" />,
    profile: <ProfilePage {...account} />,
    security: <SecurityPage {...account} sections={[]} script={false} />,
    sessions: (
      <SessionsPage
        {...account}
        sessions={[session]}
        currentSessionId="1"
        providers={{}}
        hasApps
        placeOf={() => "1"}
        now={NOON}
      />
    ),
    apps: <AppsPage {...account} apps={[app]} now={NOON} />,
    activity: <ActivityPage {...account} events={[event]} next="1" isFirst={false} now={NOON} />,
  };
}

/** Texts that are the same in every language, and those that `Intl` makes. */
const OF_NO_LANGUAGE = new Set<string>([
  ...Object.values(LOCALE_NAMES),
  "Gatehouse",
  "XXXX-XXXX",
  "now",
  moment(NOON, "en"),
]);

/** What a reader of the page meets, as text or in an attribute. */
function wordsOf(html: string): string[] {
  const body = html.slice(html.indexOf("<body")).replaceAll(/<script>[^<]*<\/script>/g, "");
  const words = [...body.matchAll(/>([^<>]+)<|(?:aria-label|placeholder|title|alt)="([^"]+)"/g)];
  return words.map(([, text, attribute]) => (text ?? attribute ?? "").trim());
}

describe("LG-02 in a pseudo-locale every word comes from the texts:", () => {
  test.each(Object.entries(pagesIn(frame("en", pseudoTexts()))))("%s", (_, page) => {
    expect(wordsOf(renderToString(page)).filter((text) => hasPlainLetters(text) && !OF_NO_LANGUAGE.has(text))).toEqual(
      [],
    );
  });
});

describe.each(LOCALES)("LG-01 the pages in %s", (locale) => {
  test.each(Object.entries(pagesIn(frame(locale))))("%s names its language and direction", (_, page) => {
    expect(renderToString(page)).toMatch(
      new RegExp(`^<html lang="${locale}" dir="${locale === "ar" ? "rtl" : "ltr"}">`),
    );
    expect(renderToString(page)).not.toMatch(/\{\w+\}/); // a slot without its element
  });
});

const here = import.meta.dirname;
const filesIn = (folder: string, ending: string) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(ending) && !name.includes("test"))
    .map((name) => join(folder, name));

test("LG-02 no view has a text of its own", () => {
  const literal =
    />\s*([A-Z][a-z]+(?: [a-z]+)*[.?!:]?)\s*(?:<|\{)|(?:aria-label|placeholder|title|alt)="([^"]*[a-z]{3}[^"]*)"/g;
  const found = filesIn(here, ".tsx").flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(literal)].map(
      ([, text, attribute]) => `${file.slice(here.length + 1)}: ${text ?? attribute}`,
    ),
  );
  expect(found).toEqual([]);
});

test("LG-02 the stylesheets know start and end, not left and right", () => {
  const sheets = [...filesIn(join(here, "../styles"), ".css"), join(here, "../../../packages/product/src/brand.css")];
  const physical =
    /(?<![\w-])(?:(?:margin|padding|border|inset)-(?:left|right)|(?:left|right)\s*:|(?:text-align|float|clear)\s*:\s*(?:left|right)|border-(?:top|bottom)-(?:left|right)-radius)/g;
  for (const sheet of sheets) expect(readFileSync(sheet, "utf8").match(physical) ?? [], sheet).toEqual([]);
});
