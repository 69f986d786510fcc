import { fillBig } from "@gatehouse/db/testing/big";
import { engines, type TestEngine } from "@gatehouse/db/testing/engines";
import { fullScans, recordStatements } from "@gatehouse/db/testing/full-scans";
import { recordingDb } from "@gatehouse/db/testing/plans";
import { describe, expect, test } from "vitest";
import { appRouter } from "./root.ts";
import { type Installation, NOON, openInstallation } from "./testing/callers.ts";

const SIZES = { rows: 4_000, applications: 500, now: NOON };
const USER = "big-user-7";
const CLIENT = "big-client-7";

/** On SQLite, reads run on a thread, which nothing here could watch. */
const watched = ({ name, open }: TestEngine): TestEngine => ({
  name,
  async open(options) {
    const database = await open(options);
    return name === "sqlite" ? { ...database, reads: recordingDb(database, []) } : database;
  },
});

type Caller = ReturnType<Installation["as"]>;
const position = (page: { nextCursor: string | null }) => page.nextCursor ?? expect.fail("there is one page alone");

/** Every list of the console, with its filters and orders, and what its pages ask for besides. */
const LISTS: Record<string, (console: Caller) => Promise<unknown>[]> = {
  "apiTokens.list": (console) => [console.apiTokens.list()],
  "applications.list": (console) => [
    ...(["name", "lastToken", "refusals", undefined] as const).flatMap((sort) => [
      console.applications.list({ sort }),
      console.applications.list({ sort }).then((page) => console.applications.list({ sort, cursor: position(page) })),
      ...(["unused", "off", "never_used", "silent", "secret_unused", "secret_ends"] as const).map((state) =>
        console.applications.list({ sort, state }),
      ),
    ]),
    console.applications.list({ environment: "staging", type: "web", origin: "dynamic" }),
    ...["application 7", CLIENT, "big7.example", "zebra", "x123"].map((query) => console.applications.list({ query })),
  ],
  "audit.list": (console) => [
    console.audit.list({}),
    console.audit.list({ actor: "admin" }),
    console.audit.list({ action: "client.update" }),
    console.audit.list({ object: CLIENT }),
  ],
  "audit.history": (console) => [console.audit.history({ objects: [CLIENT, "big-app-3"] })],
  "clientBlocks.list": (console) => [console.clientBlocks.list()],
  "clientBlocks.impact": (console) => [
    console.clientBlocks.impact({ kind: "client_id", value: CLIENT }),
    console.clientBlocks.impact({ kind: "document_host", value: "big7.example" }),
    console.clientBlocks.impact({ kind: "software_id", value: "none" }),
  ],
  "clients.secrets": (console) => [console.clients.secrets({ clientId: CLIENT })],
  "clients.use": (console) => [console.clients.use({ clientId: CLIENT })],
  "clients.impact": (console) => [
    console.clients.impact({ clientId: CLIENT, change: { kind: "disable" } }),
    console.clients.impact({ clientId: CLIENT, change: { kind: "remove" } }),
  ],
  "deliveries.list": (console) => [
    console.deliveries.list({}),
    console.deliveries.list({}).then((page) => console.deliveries.list({ cursor: position(page) })),
    console.deliveries.list({ outcome: "rejected" }),
    console.deliveries.list({ provider: "stripe" }),
    console.deliveries.list({ eventType: "none" }),
    console.deliveries.list({ eventId: "evt-7" }),
    console.deliveries.list({ handlerState: "failed" }),
  ],
  "invitations.list": (console) => [console.invitations.list({})],
  "jobs.list": (console) => [console.jobs.list({})],
  "lookup.find": (console) =>
    ["person7@example.com", CLIENT, USER, "zebra"].map((text) => console.lookup.find({ text })),
  "mails.list": (console) => [console.mails.list({})],
  "keys.list": (console) => [console.keys.list()],
  "overview.get": (console) => [console.overview.get({ range: "30d" })],
  "overview.attention": (console) => [console.overview.attention({ again: true })],
  "previews.list": (console) => [console.previews.list({ clientId: CLIENT })],
  "reconciliations.list": (console) => [console.reconciliations.list()],
  "refusals.list": (console) => [
    console.refusals.list({}),
    console.refusals.list({ clientId: CLIENT }),
    console.refusals.list({ userId: USER }),
    console.refusals.list({ cause: "code_expired" }),
    console.refusals.list({ environment: "staging" }),
    ...(["open", "regressed", "muted", "resolved"] as const).map((state) => console.refusals.list({ state })),
  ],
  "refusals.groups": (console) => [console.refusals.groups({}), console.refusals.groups({ clientId: CLIENT })],
  "registrationTokens.list": (console) => [console.registrationTokens.list()],
  "removed.list": (console) => [console.removed.list({})],
  "resources.list": (console) => [console.resources.list()],
  "savedViews.list": (console) => [console.savedViews.list({ list: "/applications" })],
  "scopes.list": (console) => [console.scopes.list()],
  "selfRegistered.list": (console) => [console.selfRegistered.list({})],
  "selfRegistered.groups": (console) => [console.selfRegistered.groups()],
  "sessions.list": (console) => [console.sessions.list({ userId: USER })],
  "settings.list": (console) => [console.settings.list()],
  "signInProviders.list": (console) => [console.signInProviders.list()],
  "signIns.list": (console) => [
    console.signIns.list({}),
    console.signIns.list({ user: USER }),
    console.signIns.list({ user: "nobody@example.com" }),
    console.signIns.list({ cause: "wrong_password" }),
    console.signIns.list({ environment: "staging" }),
  ],
  "users.list": (console) => [
    console.users.list({}),
    console.users.list({}).then((page) => console.users.list({ cursor: position(page) })),
    ...["person 7", "person7@example.com", "zebra"].map((query) => console.users.list({ query })),
    console.users.list({ role: "admin" }),
    console.users.list({ status: "disabled" }),
    console.users.list({ status: "unverified" }),
    console.users.list({ secondFactor: "some" }),
    console.users.list({ secondFactor: "none" }),
    console.users.list({ lastSignIn: "never" }),
    console.users.list({ signedInTo: 1 }),
  ],
  "users.history": (console) => [console.users.history({ id: USER })],
  "users.connectedApps": (console) => [console.users.connectedApps({ id: USER })],
  "webhookSecrets.list": (console) => [console.webhookSecrets.list({ endpoint: "stripe" })],
  "webhookEndpoints.list": (console) => [console.webhookEndpoints.list()],
};

test("CO-99 the plans of every list are examined", () => {
  const lists = Object.keys(appRouter._def.procedures).filter((name) => /\.(list|groups|history)$/.test(name));
  expect(Object.keys(LISTS)).toEqual(expect.arrayContaining(lists));
});

describe.each(engines)("CO-99 on $name", (engine) => {
  test("no list of the console reads a large table from end to end", async () => {
    const it = await openInstallation(watched(engine));
    await fillBig(it.database, SIZES);
    // What no index serves is found.
    expect(
      await fullScans(it.database, { sql: "select id from users where password_hash = 'none'", params: [] }),
    ).toEqual(["users"]);
    const scans: Record<string, string[]> = {};
    for (const [name, calls] of Object.entries(LISTS)) {
      const { sent, stop } = recordStatements(it.database);
      await Promise.all(calls(it.as("admin"))).finally(stop);
      for (const statement of sent) {
        const tables = await fullScans(it.database, statement);
        if (tables.length > 0) scans[name] = [...(scans[name] ?? []), `${tables.join()}: ${statement.sql}`];
      }
    }
    await it.close();
    expect(scans).toEqual({});
  });
});
