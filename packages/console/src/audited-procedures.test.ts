import { sealTestReport } from "@gatehouse/accounts";
import { OAuthError, recordRefusal, sha256, startSession } from "@gatehouse/auth";
import { passwordSignIn } from "@gatehouse/auth/testing";
import { findUser } from "@gatehouse/db/stores/accounts/users";
import { addJobs } from "@gatehouse/db/stores/jobs/jobs";
import { createStats } from "@gatehouse/db/stores/stats/store";
import { createWebhookStore } from "@gatehouse/db/stores/webhooks/store";
import { engines } from "@gatehouse/db/testing/engines";
import { SHOWN } from "@gatehouse/db/testing/people";
import { eventKeyOf } from "@gatehouse/webhooks";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

import {
  type Installation,
  NOON,
  openInstallation,
  seedApplication,
  webClient,
  webSettings,
  webStart,
} from "./testing/callers.ts";
import { PROCEDURES } from "./testing/procedures.ts";

type Caller = ReturnType<Installation["as"]>;
type Scene = { it: Installation; admin: Caller; shop: Awaited<ReturnType<typeof seedApplication>> };
/** The rows that a mutation leaves, and how it is called. */
type Audited = {
  rows: string[];
  call: (scene: Scene) => Promise<unknown>;
  before?: (scene: Scene) => Promise<unknown>;
};

const STOCK = {
  id: "https://stock.example",
  name: "Stock",
  scopes: [{ name: "stock:read", description: "see what is in stock" }],
};
const GOOGLE = { id: "google", preset: "google", clientId: "client", secret: "secret" } as const;
const ENDPOINT = { slug: "stripe-dev", provider: "stripe", environment: "development" } as const;
const FORWARDING = { slug: ENDPOINT.slug, forward: { url: "https://app.example/hooks" } };
const SECRET = { endpoint: "stripe-dev", secret: "whsec_0123456789abcdef0123456789" };
const BLOCK = { kind: "software_id", value: "spam" } as const;
const API_TOKEN: Parameters<Caller["apiTokens"]["create"]>[0] = { name: "Nightly export", scopes: ["audit:read"] };
const FRAME = { hostPrefix: "", hostSuffix: ".preview.example.com", path: "/cb" };
const INVITED = { email: "invited@example.com", role: "viewer" } as const;

/** Mutations that change nothing that an operator manages. */
const UNAUDITED = {
  "selfRegistered.fetchAgain": "has a row if it changes something; the test of the operation checks it",
  "webhookEndpoints.testSample": "only judges what was pasted",
  "signInProviders.test": "only asks the provider",
  "doctor.examine": "only looks",
  "configuration.plan": "only looks",
  "deliveries.exportPage": "the export has one row, for all pages",
  "audit.exportPage": "the export has one row, for all pages",
  "refusals.exportPage": "the export has one row, for all pages",
  "applications.exportPage": "the export has one row, for all pages",
  "users.exportPage": "the export has one row, for all pages",
  "me.revokeApp": "users see what they did themselves in their own history (account events)",
  "me.revokeSession": "as above",
  "sessions.endMine": "as above",
  "try.step": "the run has a row",
  "try.check": "writes the end of the run; the test of the operation checks it",
};

const AUDITED: Record<string, Audited> = {
  "apiTokens.create": { rows: ["api_token.create"], call: ({ admin }) => admin.apiTokens.create(API_TOKEN) },
  "apiTokens.revoke": {
    rows: ["api_token.create", "api_token.revoke"],
    call: async ({ admin }) => admin.apiTokens.revoke({ id: (await admin.apiTokens.create(API_TOKEN)).id }),
  },
  "applications.create": {
    rows: ["application.create"],
    call: ({ admin }) => admin.applications.create({ name: "New" }),
  },
  "applications.start": {
    rows: ["application.create", "client.create", "client_secret.add"],
    call: ({ admin }) => admin.applications.start({ ...webStart(), name: "Started" }),
  },
  "applications.update": {
    rows: ["application.update"],
    call: ({ admin, shop }) => admin.applications.update({ id: shop.applicationId, name: "Shop 2" }),
  },
  "applications.remove": {
    rows: ["application.remove"],
    call: ({ admin, shop }) => admin.applications.remove({ id: shop.applicationId }),
  },
  "removed.restore": {
    before: ({ admin, shop }) => admin.applications.remove({ id: shop.applicationId }),
    rows: ["application.restore"],
    call: ({ admin, shop }) => admin.removed.restore({ id: shop.applicationId }),
  },
  "clients.register": {
    rows: ["client.create", "client_secret.add"],
    call: ({ admin, shop }) =>
      admin.clients.register({ ...webClient({ environment: "staging" }), applicationId: shop.applicationId }),
  },
  "clients.update": {
    rows: ["client.update"],
    call: ({ admin, shop: { clientId } }) => admin.clients.update({ ...webSettings({ scopes: ["openid"] }), clientId }),
  },
  "clients.rename": {
    rows: ["client.rename"],
    call: ({ admin, shop: { applicationId } }) => admin.clients.rename({ applicationId, name: "Main", newName: "Web" }),
  },
  "clients.setEnabled": {
    rows: ["client.disable"],
    call: ({ admin, shop: { clientId } }) => admin.clients.setEnabled({ clientId, enabled: false }),
  },
  "clients.addSecret": {
    rows: ["client_secret.add"],
    call: ({ admin, shop: { clientId } }) => admin.clients.addSecret({ clientId }),
  },
  "clients.keepSecret": {
    before: async ({ admin, shop: { clientId } }) => {
      const [secret] = (await admin.clients.get({ clientId })).secrets;
      await admin.clients.retireSecret({
        clientId,
        secretId: secret?.id ?? "",
        confirmLast: true,
        expiresInSeconds: 3600,
      });
    },
    rows: ["client_secret.keep"],
    call: async ({ admin, shop: { clientId } }) => {
      const [secret] = (await admin.clients.get({ clientId })).secrets;
      await admin.clients.keepSecret({ clientId, secretId: secret?.id ?? "" });
    },
  },
  "clients.retireSecret": {
    rows: ["client_secret.retire"],
    call: async ({ admin, shop: { clientId } }) => {
      const [secret] = (await admin.clients.get({ clientId })).secrets;
      await admin.clients.retireSecret({ clientId, secretId: secret?.id ?? "", confirmLast: true });
    },
  },
  "clients.promote": {
    rows: ["client.promote", "client_secret.add"],
    call: ({ admin, shop: { applicationId } }) =>
      admin.clients.promote({
        applicationId,
        from: "development",
        to: "staging",
        redirectUris: ["https://s.example/cb"],
        postLogoutRedirectUris: [],
      }),
  },
  "clients.remove": {
    rows: ["client.remove"],
    call: ({ admin, shop: { clientId } }) => admin.clients.remove({ clientId }),
  },
  "try.start": {
    rows: ["test_run.start"],
    call: ({ admin, shop: { clientId } }) => admin.try.start({ clientId, kind: "code" }),
  },
  "try.end": {
    rows: ["test_run.start", "test_run.end"],
    call: async ({ admin, shop: { clientId } }) => {
      const { ticket } = await admin.try.start({ clientId, kind: "code" });
      await admin.try.end({ ticket });
      await admin.try.end({ ticket }); // does nothing more
    },
  },
  "previews.setFrame": {
    rows: ["preview_frame.set"],
    call: ({ admin, shop: { clientId } }) => admin.previews.setFrame({ clientId, version: 1, frame: FRAME }),
  },
  "previews.put": {
    before: framePreviews,
    rows: ["preview_slot.put", "preview_slot.renew"],
    call: async ({ admin, shop: { clientId } }) => {
      const slot = { clientId, key: "pr-1", redirectUri: "https://pr-1.preview.example.com/cb" };
      await admin.previews.put(slot);
      await admin.previews.put(slot);
    },
  },
  "previews.end": {
    before: async (scene) => {
      await framePreviews(scene);
      const slot = { key: "pr-1", redirectUri: "https://pr-1.preview.example.com/cb" };
      await scene.admin.previews.put({ ...slot, clientId: scene.shop.clientId });
    },
    rows: ["preview_slot.end"],
    call: async ({ admin, shop: { clientId } }) => {
      await admin.previews.end({ clientId, key: "pr-1" });
      await admin.previews.end({ clientId, key: "pr-1" }); // does nothing more
    },
  },
  "previews.putNumbered": {
    before: framePreviews,
    rows: Array.from({ length: 20 }, () => "preview_slot.put"),
    call: ({ admin, shop: { clientId } }) => admin.previews.putNumbered({ clientId }),
  },
  "refusals.export": { rows: ["failure.export"], call: ({ admin }) => admin.refusals.export({}) },
  "applications.export": { rows: ["application.export"], call: ({ admin }) => admin.applications.export({}) },
  "audit.export": { rows: ["audit.export"], call: ({ admin }) => admin.audit.export({}) },
  "selfRegistered.approve": {
    before: ({ it }) => registerStranger(it),
    rows: ["self_registered.approve"],
    call: ({ admin }) => admin.selfRegistered.approve({ clientId: "stranger", approved: true, version: 1 }),
  },
  "selfRegistered.prune": {
    before: async ({ it }) => {
      await registerStranger(it);
      it.clock.now += 40 * 86_400;
    },
    rows: ["self_registered.prune"],
    call: async ({ it }) => {
      await it.as("admin").selfRegistered.prune({ idleDays: 30 });
    },
  },
  "users.disconnectApp": {
    before: ({ it, shop: { clientId } }) =>
      it.deps.store.saveConsent({ userId: "viewer", clientId, scope: "openid", ...SHOWN, now: it.deps.now() }),
    rows: ["user.disconnect_app"],
    call: ({ admin, shop: { clientId } }) => admin.users.disconnectApp({ id: "viewer", clientId }),
  },
  "keys.rotate": {
    rows: ["signing_key.rotate"],
    call: ({ admin }) => admin.keys.rotate({ algorithm: "ES256", mode: "ahead" }),
  },
  "branding.set": {
    rows: ["branding.update"],
    call: ({ admin, shop: { applicationId } }) =>
      admin.branding.set({ applicationId, settings: { colour: "#4f46e5" } }),
  },
  "branding.setLogo": {
    rows: ["branding.update"],
    call: ({ admin, shop: { applicationId } }) => admin.branding.setLogo({ applicationId, logo: null }),
  },
  "clientBlocks.block": { rows: ["client_block.create"], call: ({ admin }) => admin.clientBlocks.block(BLOCK) },
  "clientBlocks.unblock": {
    before: ({ admin }) => admin.clientBlocks.block(BLOCK),
    rows: ["client_block.lift"],
    call: ({ admin }) => admin.clientBlocks.unblock(BLOCK),
  },
  "refusals.decide": {
    before: async ({ it, shop: { clientId } }) => {
      const error = new OAuthError("invalid_client", "secret_wrong", "no secret matches");
      await recordRefusal(error, { endpoint: "/token", clientId }, it.deps, { address: null });
    },
    rows: ["failure.resolve"],
    call: async ({ admin }) => {
      const [group] = (await admin.refusals.groups({})).items;
      await admin.refusals.decide({ key: group?.key ?? "", decision: { kind: "resolved" } });
    },
  },
  "registrationTokens.create": {
    rows: ["registration_token.create"],
    call: ({ admin }) => admin.registrationTokens.create({ name: "CI" }),
  },
  "registrationTokens.revoke": {
    before: ({ admin }) => admin.registrationTokens.create({ name: "CI" }),
    rows: ["registration_token.revoke"],
    call: async ({ admin }) =>
      admin.registrationTokens.revoke({ id: (await admin.registrationTokens.list())[0]?.id ?? "" }),
  },
  "resources.create": { rows: ["resource.create"], call: ({ admin }) => admin.resources.create(STOCK) },
  "resources.update": {
    before: ({ admin }) => admin.resources.create(STOCK),
    rows: ["resource.update"],
    call: ({ admin }) => admin.resources.update({ ...STOCK, name: "Warehouse" }),
  },
  "resources.setEnabled": {
    before: ({ admin }) => admin.resources.create(STOCK),
    rows: ["resource.disable"],
    call: ({ admin }) => admin.resources.setEnabled({ id: STOCK.id, enabled: false }),
  },
  "resources.remove": {
    before: ({ admin }) => admin.resources.create(STOCK),
    rows: ["resource.remove"],
    call: ({ admin }) => admin.resources.remove({ id: STOCK.id }),
  },
  "signInProviders.create": {
    rows: ["sign_in_provider.create"],
    call: ({ admin }) => admin.signInProviders.create(GOOGLE),
  },
  "signInProviders.update": {
    before: ({ admin }) => admin.signInProviders.create(GOOGLE),
    rows: ["sign_in_provider.update"],
    call: ({ admin }) => admin.signInProviders.update({ id: "google", name: "Work account" }),
  },
  "signInProviders.setEnabled": {
    before: createDisabledProvider,
    rows: ["sign_in_provider.enable"],
    call: ({ admin }) => admin.signInProviders.setEnabled({ id: "google", enabled: true }),
  },
  "signInProviders.startTest": {
    before: createDisabledProvider,
    rows: ["sign_in_provider.test"],
    call: ({ admin }) => admin.signInProviders.startTest({ id: "google" }),
  },
  "signInProviders.finishTest": {
    before: createDisabledProvider,
    rows: ["sign_in_provider.test"],
    call: async ({ admin, it: { deps } }) => {
      const outcome = { kind: "failed", problem: "denied", detail: "", code: null, description: null } as const;
      const about = { testId: "t", providerId: "google", userId: "admin", version: null };
      const report = sealTestReport({ ...about, outcome }, deps);
      await admin.signInProviders.finishTest({ id: "google", report });
      await admin.signInProviders.finishTest({ id: "google", report }); // recorded once
    },
  },
  "signInProviders.remove": {
    before: createDisabledProvider,
    rows: ["sign_in_provider.remove"],
    call: ({ admin }) => admin.signInProviders.remove({ id: "google" }),
  },
  "webhookEndpoints.create": {
    rows: ["webhook_endpoint.create"],
    call: ({ admin }) => admin.webhookEndpoints.create(ENDPOINT),
  },
  "webhookEndpoints.update": {
    before: ({ admin }) => admin.webhookEndpoints.create(ENDPOINT),
    rows: ["webhook_endpoint.update"],
    call: ({ admin }) => admin.webhookEndpoints.update({ slug: ENDPOINT.slug, name: "EU", version: 1 }),
  },
  "webhookEndpoints.setEnabled": {
    before: ({ admin }) => admin.webhookEndpoints.create(ENDPOINT),
    rows: ["webhook_endpoint.disable"],
    call: ({ admin }) => admin.webhookEndpoints.setEnabled({ slug: ENDPOINT.slug, enabled: false }),
  },
  "webhookEndpoints.setForwarding": {
    before: ({ admin }) => admin.webhookEndpoints.create(ENDPOINT),
    rows: ["webhook_endpoint.update"],
    call: ({ admin }) => admin.webhookEndpoints.setForwarding(FORWARDING),
  },
  "webhookEndpoints.rotateForwardingSecret": {
    before: async ({ admin }) => {
      await admin.webhookEndpoints.create(ENDPOINT);
      await admin.webhookEndpoints.setForwarding(FORWARDING);
    },
    rows: ["webhook_endpoint.rotate_forwarding_secret"],
    call: ({ admin }) => admin.webhookEndpoints.rotateForwardingSecret({ slug: ENDPOINT.slug }),
  },
  "webhookEndpoints.sendTestEvent": {
    before: async ({ admin }) => {
      await admin.webhookEndpoints.create(ENDPOINT);
      await admin.webhookSecrets.add(SECRET);
    },
    rows: ["webhook_endpoint.send_test"],
    call: ({ admin }) => admin.webhookEndpoints.sendTestEvent({ slug: ENDPOINT.slug, eventType: "invoice.paid" }),
  },
  "webhookEndpoints.remove": {
    before: ({ admin }) => admin.webhookEndpoints.create(ENDPOINT),
    rows: ["webhook_endpoint.remove"],
    call: ({ admin }) => admin.webhookEndpoints.remove({ slug: ENDPOINT.slug }),
  },
  "webhookSecrets.add": {
    before: ({ admin }) => admin.webhookEndpoints.create(ENDPOINT),
    rows: ["webhook_secret.add"],
    call: ({ admin }) => admin.webhookSecrets.add(SECRET),
  },
  "webhookSecrets.end": {
    before: async ({ admin }) => {
      await admin.webhookEndpoints.create(ENDPOINT);
      await admin.webhookSecrets.add(SECRET);
    },
    rows: ["webhook_secret.end"],
    call: async ({ admin }) => {
      const [secret] = await admin.webhookSecrets.list({ endpoint: ENDPOINT.slug });
      await admin.webhookSecrets.end({ id: secret?.id ?? "", confirmLast: true });
    },
  },
  "deliveries.reveal": {
    before: receive,
    rows: ["webhook.reveal"],
    call: ({ admin }) => admin.deliveries.reveal({ id: "delivery" }),
  },
  "deliveries.deletePayload": {
    before: receive,
    rows: ["webhook.delete_body"],
    call: ({ admin }) => admin.deliveries.deletePayload({ id: "delivery" }),
  },
  "deliveries.curl": {
    before: receive,
    rows: ["webhook.reveal"],
    call: ({ admin }) => admin.deliveries.curl({ id: "delivery" }),
  },
  "deliveries.export": { rows: ["webhook.export"], call: ({ admin }) => admin.deliveries.export({}) },
  "deliveries.rerun": {
    before: receive,
    rows: ["webhook.replay"],
    call: ({ admin }) => admin.deliveries.rerun({ id: "delivery" }),
  },
  "deliveries.rerunMany": {
    before: receive,
    rows: ["webhook.replay"],
    call: ({ admin }) => admin.deliveries.rerunMany({ ids: ["delivery"] }),
  },
  "deliveries.cancelRerun": {
    before: receive,
    rows: ["webhook.replay", "webhook.replay_cancel"],
    call: async ({ admin }) => admin.deliveries.cancelRerun(await admin.deliveries.rerun({ id: "delivery" })),
  },
  "invitations.create": { rows: ["user.invite"], call: ({ admin }) => admin.invitations.create(INVITED) },
  "invitations.resend": {
    rows: ["user.invite", "user.invite"],
    call: async ({ admin }) => admin.invitations.resend({ id: (await admin.invitations.create(INVITED)).id }),
  },
  "invitations.withdraw": {
    rows: ["user.invite", "user.withdraw_invitation"],
    call: async ({ admin }) => admin.invitations.withdraw({ id: (await admin.invitations.create(INVITED)).id }),
  },
  "jobs.retry": { before: queue, rows: ["job.retry"], call: ({ admin }) => admin.jobs.retry({ id: "job" }) },
  "jobs.drop": { before: queue, rows: ["job.drop"], call: ({ admin }) => admin.jobs.drop({ id: "job" }) },
  "mails.retry": {
    before: ({ it: { deps } }) =>
      deps.db.transaction([
        deps.db.insert(deps.db.tables.mails).values({
          id: "mail",
          kind: "sign_in_code",
          recipient: "ada@example.com",
          userId: null,
          locale: "en",
          payload: "sealed",
          state: "failed",
          attempts: 9,
          createdAt: NOON,
          nextAttemptAt: null,
          sentAt: null,
          lastError: "gone",
          expiresAt: null,
        } as never),
      ]),
    rows: ["mail.retry"],
    call: ({ admin }) => admin.mails.retry({ id: "mail" }),
  },
  "configuration.unlock": {
    before: ({ admin }) => applyFile(admin, { locked: true, applications: [DESK] }),
    rows: ["configuration.unlock"],
    call: async ({ admin }) => {
      await admin.configuration.unlock({ kind: "client", id: "desk" });
      await admin.configuration.unlock({ kind: "client", id: "desk" }); // does nothing more
    },
  },
  "configuration.applyFile": {
    rows: ["application.create", "configuration.apply"],
    call: async ({ admin }) => {
      await applyFile(admin, { applications: [{ name: "Desk", environments: {} }] });
      await applyFile(admin, { applications: [{ name: "Desk", environments: {} }] }); // does nothing more
    },
  },
  "mails.sendTest": { rows: ["mail.test"], call: ({ admin }) => admin.mails.sendTest() },
  "settings.change": {
    rows: ["settings.update"],
    call: ({ admin }) => admin.settings.change({ values: { GATEHOUSE_PRODUCT_NAME: "Shop" }, version: 0 }),
  },
  "settings.setLogo": {
    rows: ["settings.update"],
    call: ({ admin }) => admin.settings.setLogo({ logo: null, version: 0 }),
  },
  "users.export": { rows: ["user.export"], call: ({ admin }) => admin.users.export({}) },
  "users.update": { rows: ["user.update"], call: ({ admin }) => admin.users.update({ id: "viewer", name: "Vi" }) },
  "users.setDisabled": {
    rows: ["user.disable"],
    call: ({ admin }) => admin.users.setDisabled({ id: "viewer", disabled: true }),
  },
  "users.delete": {
    rows: ["user.delete"],
    call: ({ admin }) => admin.users.delete({ id: "viewer", reason: "left the team" }),
  },
  "users.restore": {
    rows: ["user.restore"],
    before: ({ it }) => it.deps.people.requestDeletion({ userId: "viewer", deleteAfter: NOON + 60 }, {}, NOON),
    call: ({ admin }) => admin.users.restore({ id: "viewer" }),
  },
  "users.revokeTokens": {
    rows: ["user.disconnect_apps"],
    call: ({ admin }) => admin.users.revokeTokens({ id: "viewer" }),
  },
  "users.sendResetLink": {
    rows: ["user.send_reset_link"],
    call: ({ admin }) => admin.users.sendResetLink({ id: "viewer" }),
  },
  "users.requirePassword": {
    rows: ["user.require_password"],
    call: ({ admin }) => admin.users.requirePassword({ id: "viewer" }),
  },
  "users.resetSecondFactors": {
    rows: ["user.reset_second_factors"],
    call: ({ admin }) => admin.users.resetSecondFactors({ id: "viewer", reason: "lost phone" }),
  },
  "sessions.revoke": {
    before: ({ it }) => signIn(it),
    rows: ["user.end_session"],
    call: async ({ admin }) => {
      const [session] = await admin.sessions.list({ userId: "viewer" });
      await admin.sessions.revoke({ userId: "viewer", sessionId: session?.id ?? "" });
    },
  },
  "savedViews.save": { rows: ["saved_view.save"], call: ({ admin }) => admin.savedViews.save(VIEW) },
  "savedViews.remove": {
    rows: ["saved_view.save", "saved_view.remove"],
    call: async ({ admin }) => admin.savedViews.remove({ id: (await admin.savedViews.save(VIEW)).id }),
  },
  "sessions.revokeAll": {
    rows: ["user.end_sessions"],
    call: ({ admin }) => admin.sessions.revokeAll({ userId: "viewer" }),
  },
};

const DESK = {
  name: "Desk",
  environments: { development: { client_id: "desk", type: "service", scopes: ["api:read"] } },
};

async function applyFile(admin: Caller, content: object): Promise<void> {
  const file = JSON.stringify(content);
  await admin.configuration.applyFile({ file, planId: (await admin.configuration.plan({ file })).changesId });
}

const VIEW = { list: "/users", name: "Admins", query: "role=admin", shared: false };

async function registerStranger({ deps }: Installation): Promise<void> {
  const stranger = {
    clientId: "stranger",
    applicationId: "stranger",
    applicationName: "Stranger",
    type: "native",
    options: {},
  } as const;
  const settings = {
    redirectUris: ["http://localhost/cb"],
    postLogoutRedirectUris: [],
    grantTypes: ["authorization_code"],
    scopes: [],
  } as const;
  await deps.store.addDynamicClient(
    { ...stranger, ...settings, registrationTokenHash: sha256("registration"), secret: null },
    NOON,
  );
}

async function createDisabledProvider({ admin }: Scene): Promise<void> {
  await admin.signInProviders.create(GOOGLE);
  await admin.signInProviders.setEnabled({ id: "google", enabled: false });
}

async function signIn({ deps }: Installation): Promise<void> {
  const user = await findUser(deps.db, "viewer");
  if (user) await startSession({ user, userAgent: null, address: null, ...passwordSignIn(deps) }, deps);
}

async function framePreviews({ admin, shop: { clientId } }: Scene): Promise<void> {
  await admin.previews.setFrame({ clientId, version: 1, frame: FRAME });
}

async function receive({ it, admin }: Scene): Promise<void> {
  const { db, seal, now } = it.deps;
  await admin.webhookEndpoints.create(ENDPOINT);
  const stats = createStats(db, { now, onError: () => {} });
  const key = eventKeyOf("evt_1");
  await createWebhookStore(db, seal, now, stats).acceptDelivery(
    {
      id: "delivery",
      endpoint: ENDPOINT.slug,
      environment: ENDPOINT.environment,
      receivedAt: NOON,
      method: "POST",
      outcome: "accepted",
      reason: "accepted",
      status: 200,
      eventType: "invoice.paid",
      eventId: "evt_1",
      secretId: null,
      mode: null,
      skewSeconds: 0,
      headers: {},
      body: Buffer.from("{}"),
      bodyBytes: 2,
      ackMs: 1,
      address: null,
      source: "http",
    },
    [{ key, id: "evt_1", type: "invoice.paid", objectKey: null, handlers: [] }],
  );
}

async function queue({ it }: Scene): Promise<void> {
  await addJobs(it.deps.db, [{ id: "job", queue: "mail", orderKey: null, payload: {}, createdAt: NOON, runAt: 1 }]);
}

const mutations = PROCEDURES.filter(({ type }) => type === "mutation").map(({ path }) => path);

test("CO-64 every mutation is in one of the two tables above", () => {
  expect(mutations.sort()).toEqual([...Object.keys(AUDITED), ...Object.keys(UNAUDITED)].sort());
});

describe.each(engines)("CO-64 every mutation leaves a row, on $name", (engine) => {
  let scene: Scene;
  beforeEach(async () => {
    const it = await openInstallation(engine);
    scene = { it, admin: it.as("admin"), shop: await seedApplication(it.deps) };
  });
  afterEach(() => scene.it.close());

  async function rows() {
    const { db } = scene.it.deps;
    const { tables } = db;
    return db.select().from(tables.audit).orderBy(tables.audit.id);
  }

  test.each(Object.entries(AUDITED))("%s", async (_, { before, rows: actions, call }) => {
    await before?.(scene);
    const earlier = (await rows()).length;
    await call(scene);
    const left = (await rows()).slice(earlier);
    expect(left.map(({ action }) => action)).toEqual(actions);
    expect(left.filter(({ objectName }) => objectName === null)).toEqual([]);
    for (const row of left)
      expect(row).toMatchObject({ actorId: "admin", actorName: "admin", role: "admin", via: "console" });
    expect(JSON.stringify(left)).not.toMatch(/gcs_|gap_|whsec_0|"secret":"secret"/);
  });
});
