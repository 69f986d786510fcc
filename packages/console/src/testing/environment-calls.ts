import { type Environment, OAuthError, recordRefusal } from "@gatehouse/auth";
import { createStats } from "@gatehouse/db/stores/stats/store";
import { createWebhookStore } from "@gatehouse/db/stores/webhooks/store";
import { eventKeyOf } from "@gatehouse/webhooks";
import { createApplication } from "../applications/applications.ts";
import { registerClient } from "../clients/register.ts";
import { createWebhookEndpoint } from "../webhook-endpoints/endpoints.ts";
import { ADMIN, type Installation, NOON, webClient, webSettings } from "./callers.ts";

type Caller = ReturnType<Installation["as"]>;

const URI = "https://shop.example/callback";
const ELSEWHERE: Record<Environment, Environment> = {
  development: "staging",
  staging: "production",
  production: "staging",
};
const FRAME = { hostPrefix: "", hostSuffix: ".preview.example.com", path: "/cb" };
const SLOT = { key: "pr-1", redirectUri: "https://pr-1.preview.example.com/cb" };

/** An application with one client, and a webhook endpoint, both of one environment. */
export async function seedPlace(it: Installation, environment: Environment, number: number) {
  const { deps } = it;
  const name = `Shop ${number}`;
  const { id: applicationId } = await createApplication({ name, description: "" }, ADMIN, deps);
  const draft = webClient({ environment, redirectUris: [URI] });
  const { client } = await registerClient({ ...draft, applicationId }, ADMIN, deps);
  const endpoint = `stripe-${number}`;
  await createWebhookEndpoint({ slug: endpoint, provider: "stripe", environment }, ADMIN, deps);
  return {
    it,
    admin: it.as("admin"),
    environment,
    number,
    name,
    applicationId,
    clientId: client.clientId,
    draft,
    endpoint,
  };
}

export type Place = Awaited<ReturnType<typeof seedPlace>>;

/**
 * A call that acts on the place. `prepare` returns what the call needs besides; an admin did that, freshly signed in.
 */
type PlaceCall<Prepared> = {
  prepare: (place: Place) => Promise<Prepared>;
  call: (caller: Caller, place: Place, prepared: Prepared) => unknown;
};
type AnyCall = PlaceCall<unknown>;

const after = <Prepared>(prepare: PlaceCall<Prepared>["prepare"], call: PlaceCall<Prepared>["call"]): AnyCall => ({
  prepare,
  call: (caller, place, prepared) => call(caller, place, prepared as Prepared),
});
const simply = (call: (caller: Caller, place: Place) => unknown): AnyCall => ({ prepare: async () => {}, call });

/** For every procedure whose answer could depend on an environment: how it is called for an object of one. */
export const ENVIRONMENT_CALLS: Record<string, AnyCall> = {
  "applications.list": simply((caller, { environment }) => caller.applications.list({ environment })),
  "applications.get": simply((caller, { applicationId: id }) => caller.applications.get({ id })),
  "applications.impact": simply((caller, { applicationId: id }) => caller.applications.impact({ id })),
  "applications.update": simply((caller, { applicationId: id, number }) =>
    caller.applications.update({ id, name: `Renamed ${number}` }),
  ),
  "applications.remove": simply((caller, { applicationId: id }) => caller.applications.remove({ id })),
  "audit.list": simply((caller, { environment }) => caller.audit.list({ environment })),
  "branding.get": simply((caller, { applicationId }) => caller.branding.get({ applicationId })),
  "branding.preview": simply((caller, { applicationId }) => caller.branding.preview({ applicationId, settings: {} })),
  "branding.set": simply((caller, { applicationId }) =>
    caller.branding.set({ applicationId, settings: { colour: "#4f46e5" } }),
  ),
  "branding.setLogo": simply((caller, { applicationId }) => caller.branding.setLogo({ applicationId, logo: null })),
  "clients.addSecret": simply((caller, { clientId }) => caller.clients.addSecret({ clientId })),
  "clients.checkRedirectUri": simply((caller, { environment }) =>
    caller.clients.checkRedirectUri({ uri: URI, type: "web", environment }),
  ),
  "clients.comparePromotion": simply((caller, { applicationId, environment }) =>
    caller.clients.comparePromotion({ applicationId, from: environment, to: ELSEWHERE[environment] }),
  ),
  "clients.firstUse": simply((caller, { clientId }) => caller.clients.firstUse({ clientId })),
  "clients.get": simply((caller, { clientId }) => caller.clients.get({ clientId })),
  "clients.impact": simply((caller, { clientId }) => caller.clients.impact({ clientId, change: { kind: "disable" } })),
  "clients.keepSecret": after(
    async ({ admin, clientId }) => {
      const secretId = await secretOf(admin, clientId);
      await admin.clients.retireSecret({ clientId, secretId, confirmLast: true, expiresInSeconds: 3600 });
      return secretId;
    },
    (caller, { clientId }, secretId) => caller.clients.keepSecret({ clientId, secretId }),
  ),
  "clients.promote": after(
    async ({ it, environment, draft, number }) => {
      const application = await createApplication({ name: `Promoted ${number}`, description: "" }, ADMIN, it.deps);
      const from = ELSEWHERE[environment];
      await registerClient({ ...draft, environment: from, applicationId: application.id }, ADMIN, it.deps);
      return { applicationId: application.id, from };
    },
    (caller, { environment: to }, pair) =>
      caller.clients.promote({ ...pair, to, redirectUris: [URI], postLogoutRedirectUris: [] }),
  ),
  "clients.register": simply((caller, { applicationId, draft }) =>
    caller.clients.register({ ...draft, applicationId, name: "Other" }),
  ),
  "clients.remove": simply((caller, { clientId }) => caller.clients.remove({ clientId })),
  "clients.rename": simply((caller, { applicationId }) =>
    caller.clients.rename({ applicationId, name: "Main", newName: "Web" }),
  ),
  "clients.retireSecret": after(
    ({ admin, clientId }) => secretOf(admin, clientId),
    (caller, { clientId }, secretId) => caller.clients.retireSecret({ clientId, secretId, confirmLast: true }),
  ),
  "clients.secrets": simply((caller, { clientId }) => caller.clients.secrets({ clientId })),
  "clients.setEnabled": simply((caller, { clientId }) => caller.clients.setEnabled({ clientId, enabled: false })),
  "clients.testRedirectUri": simply((caller, { clientId }) =>
    caller.clients.testRedirectUri({ clientId, pasted: URI }),
  ),
  "clients.update": simply((caller, { clientId }) =>
    caller.clients.update({ ...webSettings({ redirectUris: [URI], scopes: ["openid"] }), clientId }),
  ),
  "clients.use": simply((caller, { clientId }) => caller.clients.use({ clientId })),
  "configuration.unlock": after(
    async ({ admin, environment, number }) => {
      const id = `locked-${number}`;
      const client = { client_id: id, type: "native", redirect_uris: ["http://127.0.0.1/cb"], scopes: ["openid"] };
      const file = JSON.stringify({
        locked: true,
        applications: [{ name: `Locked ${number}`, environments: { [environment]: client } }],
      });
      await admin.configuration.applyFile({ file, planId: (await admin.configuration.plan({ file })).changesId });
      return id;
    },
    (caller, _, id) => caller.configuration.unlock({ kind: "client", id }),
  ),
  "deliveries.list": simply((caller, { environment }) => caller.deliveries.list({ environment })),
  "deliveries.stats": simply((caller, { environment }) => caller.deliveries.stats({ range: "24h", environment })),
  "deliveries.export": simply((caller, { environment }) => caller.deliveries.export({ filter: { environment } })),
  "deliveries.get": after(receive, (caller, _, id) => caller.deliveries.get({ id })),
  "deliveries.diagnose": after(receive, (caller, _, id) => caller.deliveries.diagnose({ id })),
  "deliveries.attempts": after(receive, (caller, _, id) => caller.deliveries.attempts({ id })),
  "deliveries.related": after(receive, (caller, _, id) => caller.deliveries.related({ id })),
  "deliveries.reveal": after(receive, (caller, _, id) => caller.deliveries.reveal({ id })),
  "deliveries.deletePayload": after(receive, (caller, _, id) => caller.deliveries.deletePayload({ id })),
  "deliveries.curl": after(receive, (caller, _, id) => caller.deliveries.curl({ id })),
  "deliveries.rerun": after(receive, (caller, _, id) => caller.deliveries.rerun({ id })),
  "deliveries.rerunMany": after(receive, (caller, _, id) => caller.deliveries.rerunMany({ ids: [id] })),
  "lookup.find": simply((caller, { clientId: text }) => caller.lookup.find({ text })),
  "overview.get": simply((caller, { environment }) => caller.overview.get({ range: "24h", environment })),
  "previews.list": simply((caller, { clientId }) => caller.previews.list({ clientId })),
  "previews.setFrame": simply((caller, { clientId }) =>
    caller.previews.setFrame({ clientId, version: 1, frame: FRAME }),
  ),
  "previews.put": after(framePreviews, (caller, { clientId }) => caller.previews.put({ ...SLOT, clientId })),
  "previews.putNumbered": after(framePreviews, (caller, { clientId }) => caller.previews.putNumbered({ clientId })),
  "previews.end": after(framePreviews, (caller, { clientId }) => caller.previews.end({ clientId, key: SLOT.key })),
  "refusals.list": simply((caller, { environment }) => caller.refusals.list({ environment })),
  "refusals.groups": simply((caller, { environment }) => caller.refusals.groups({ environment })),
  "refusals.one": after(refuse, (caller, _, { errorId }) => caller.refusals.one({ errorId })),
  "refusals.group": after(refuse, (caller, _, { key }) => caller.refusals.group({ key })),
  "refusals.decide": after(refuse, (caller, _, { key }) =>
    caller.refusals.decide({ key, decision: { kind: "resolved" } }),
  ),
  "removed.get": after(remove, (caller, { applicationId: id }) => caller.removed.get({ id })),
  "removed.restore": after(remove, (caller, { applicationId: id }) => caller.removed.restore({ id })),
  "try.start": simply((caller, { clientId }) => caller.try.start({ clientId, kind: "code" })),
  "webhookEndpoints.create": simply((caller, { environment, number }) =>
    caller.webhookEndpoints.create({ slug: `created-${number}`, provider: "stripe", environment }),
  ),
  "webhookEndpoints.get": simply((caller, { endpoint: slug }) => caller.webhookEndpoints.get({ slug })),
  "webhookEndpoints.remove": simply((caller, { endpoint: slug }) => caller.webhookEndpoints.remove({ slug })),
  "webhookEndpoints.sendTestEvent": after(
    ({ admin, endpoint, number }) => admin.webhookSecrets.add({ endpoint, secret: webhookSecret(number) }),
    (caller, { endpoint: slug }) => caller.webhookEndpoints.sendTestEvent({ slug, eventType: "invoice.paid" }),
  ),
  "webhookEndpoints.setForwarding": simply((caller, { endpoint: slug }) =>
    caller.webhookEndpoints.setForwarding({ slug, forward: { url: "https://app.example/hooks" } }),
  ),
  "webhookEndpoints.rotateForwardingSecret": after(
    ({ admin, endpoint: slug }) =>
      admin.webhookEndpoints.setForwarding({ slug, forward: { url: "https://app.example/hooks" } }),
    (caller, { endpoint: slug }) => caller.webhookEndpoints.rotateForwardingSecret({ slug }),
  ),
  "webhookEndpoints.setEnabled": simply((caller, { endpoint: slug }) =>
    caller.webhookEndpoints.setEnabled({ slug, enabled: false }),
  ),
  "webhookEndpoints.update": simply((caller, { endpoint: slug }) =>
    caller.webhookEndpoints.update({ slug, name: "EU", version: 1 }),
  ),
  "webhookSecrets.add": simply((caller, { endpoint, number }) =>
    caller.webhookSecrets.add({ endpoint, secret: webhookSecret(number) }),
  ),
  "webhookSecrets.list": simply((caller, { endpoint }) => caller.webhookSecrets.list({ endpoint })),
  "webhookSecrets.end": after(
    async ({ admin, endpoint, number }) => {
      await admin.webhookSecrets.add({ endpoint, secret: webhookSecret(number) });
      return (await admin.webhookSecrets.list({ endpoint }))[0]?.id ?? "";
    },
    (caller, _, id) => caller.webhookSecrets.end({ id, confirmLast: true }),
  ),
};

const webhookSecret = (number: number) => `whsec_0123456789abcdef0123456789${String(number).padStart(6, "0")}`;

async function secretOf(admin: Caller, clientId: string): Promise<string> {
  return (await admin.clients.get({ clientId })).secrets[0]?.id ?? "";
}

async function remove({ admin, applicationId: id }: Place): Promise<void> {
  await admin.applications.remove({ id });
}

/** Production has no frame: what it asks for is refused before anything else. */
async function framePreviews({ admin, clientId, environment }: Place): Promise<void> {
  if (environment !== "production") await admin.previews.setFrame({ clientId, version: 1, frame: FRAME });
}

async function refuse({ it, admin, clientId }: Place): Promise<{ errorId: string; key: string }> {
  const error = new OAuthError("invalid_client", "secret_wrong", "no secret matches");
  const errorId = await recordRefusal(error, { endpoint: "/token", clientId }, it.deps, { address: null });
  const [group] = (await admin.refusals.groups({ clientId })).items;
  return { errorId, key: group?.key ?? "" };
}

async function receive({ it: { deps }, endpoint, environment, number }: Place): Promise<string> {
  const { db, seal, now } = deps;
  const [id, eventId] = [`delivery-${number}`, `evt_${number}`];
  const key = eventKeyOf(eventId);
  await createWebhookStore(db, seal, now, createStats(db, { now, onError: () => {} })).acceptDelivery(
    {
      id,
      endpoint,
      environment,
      receivedAt: NOON,
      method: "POST",
      outcome: "accepted",
      reason: "accepted",
      status: 200,
      eventType: "invoice.paid",
      eventId,
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
    [{ key, id: eventId, type: "invoice.paid", objectKey: null, handlers: [] }],
  );
  return id;
}
