import { ACR, ENVIRONMENTS, type Environment, SCOPES } from "@gatehouse/auth";
import { engines } from "@gatehouse/db/testing/engines";
import { TRPCError } from "@trpc/server";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { API_TOKEN_SCOPES } from "./api-tokens/scopes.ts";
import { FRESH_SECONDS, rolesThat } from "./permissions.ts";
import type { EnvironmentRule } from "./requirements.ts";
import {
  ADMIN,
  type Installation,
  NOON,
  openInstallation,
  type SignIn,
  seedApplication,
  webClient,
  webSettings,
  webStart,
} from "./testing/callers.ts";
import { ENVIRONMENT_CALLS, seedPlace } from "./testing/environment-calls.ts";
import { PROCEDURES } from "./testing/procedures.ts";
import { createWebhookEndpoint } from "./webhook-endpoints/endpoints.ts";

type Who = "viewers" | "managers" | "admins" | "everybody";
const MAY: Record<Who, readonly string[]> = {
  viewers: ["admin", "developer", "viewer"],
  managers: ["admin", "developer"],
  admins: ["admin"],
  everybody: ["admin", "developer", "viewer", "user"],
};
const ROLES = ["admin", "developer", "viewer", "user"] as const;

const STOCK = {
  id: "https://stock.example",
  name: "Stock",
  scopes: [{ name: "stock:read", description: "see what is in stock" }],
};

/** What the environment of the object changes for those whom {@link MAY} lets in. */
type ByEnvironment = {
  /** Where only admins may. */
  adminsOnly?: readonly Environment[];
  /** Where the sign-in must be fresh. */
  fresh?: readonly Environment[];
  /** Where nobody may, and how it is refused. */
  never?: { in: readonly Environment[]; outcome: string };
};
const PRODUCTION = { adminsOnly: ["production"] } as const;
const BY_ENVIRONMENT: Record<EnvironmentRule, ByEnvironment> = {
  none: {},
  any: {},
  "admins in production": PRODUCTION,
  "fresh admins in production": { ...PRODUCTION, fresh: ["production"] },
  "fresh, and admins in production": { ...PRODUCTION, fresh: ENVIRONMENTS },
  "absent in production": { never: { in: ["production"], outcome: "NOT_FOUND" } },
  "never in production": { ...PRODUCTION, never: { in: ["production"], outcome: "CONFLICT" } },
};

type Row = {
  who: Who;
  scope: string;
  sound: unknown;
  malformed: unknown;
  fresh?: boolean;
};

/**
 * Every procedure there is: who may call it, with which scope, a sound input and a malformed one (undefined: it takes
 * none), and whether it always needs a fresh sign-in. Routers say the same: one that allows more than intended fails.
 * What operations allow by environment is compared with what the routers say of it.
 */
const TABLE: Record<string, Row> = {
  "clients.firstUse": { who: "viewers", scope: "console:read", sound: { clientId: "shop-dev" }, malformed: {} },
  "apiTokens.list": { who: "admins", scope: "console:read", sound: undefined, malformed: undefined },
  "apiTokens.create": {
    who: "admins",
    scope: "console:write",
    sound: { name: "CI", scopes: ["audit:read"] },
    malformed: { name: "CI", scopes: ["console:write"] },
    fresh: true,
  },
  "apiTokens.revoke": { who: "admins", scope: "console:write", sound: { id: "t" }, malformed: {}, fresh: true },
  "overview.get": { who: "viewers", scope: "console:read", sound: { range: "7d" }, malformed: { range: "1y" } },
  "overview.attention": { who: "viewers", scope: "console:read", sound: { again: true }, malformed: { again: "now" } },
  "overview.firstSteps": { who: "viewers", scope: "console:read", sound: undefined, malformed: undefined },
  "webhookSecrets.list": {
    who: "viewers",
    scope: "webhooks:read",
    sound: { provider: "stripe" },
    malformed: { provider: 7 },
  },
  "webhookSecrets.add": {
    who: "managers",
    scope: "webhooks:configure",
    sound: { endpoint: "stripe-dev", secret: "whsec_procedures" },
    malformed: { endpoint: "stripe-dev" },
  },
  "webhookSecrets.end": {
    who: "managers",
    scope: "webhooks:configure",
    sound: { id: "w" },
    malformed: { id: "w", endsAt: "soon" },
  },
  "webhookEndpoints.list": { who: "viewers", scope: "webhooks:read", sound: undefined, malformed: undefined },
  "webhookEndpoints.get": { who: "viewers", scope: "webhooks:read", sound: { slug: "stripe" }, malformed: {} },
  "webhookEndpoints.providers": { who: "viewers", scope: "webhooks:read", sound: undefined, malformed: undefined },
  "webhookEndpoints.create": {
    who: "managers",
    scope: "webhooks:configure",
    sound: { slug: "stripe-dev", provider: "stripe", environment: "development" },
    malformed: { slug: "stripe-dev", provider: "stripe", environment: "moon" },
  },
  "webhookEndpoints.update": {
    who: "managers",
    scope: "webhooks:configure",
    sound: { slug: "stripe-dev", name: "Stripe", version: 0 },
    malformed: { slug: "stripe-dev", name: "Stripe" },
  },
  "webhookEndpoints.setEnabled": {
    who: "managers",
    scope: "webhooks:configure",
    sound: { slug: "stripe-dev", enabled: false },
    malformed: { slug: "stripe-dev" },
  },
  "webhookEndpoints.remove": {
    who: "managers",
    scope: "webhooks:configure",
    sound: { slug: "nothing" },
    malformed: {},
  },
  "webhookEndpoints.setForwarding": {
    who: "managers",
    scope: "webhooks:configure",
    sound: { slug: "nothing", forward: { url: "https://app.example/hooks" } },
    malformed: { slug: "nothing", forward: { url: "https://app.example/hooks", secret: "mine" } },
  },
  "webhookEndpoints.rotateForwardingSecret": {
    who: "managers",
    scope: "webhooks:configure",
    sound: { slug: "nothing" },
    malformed: { slug: "nothing", overlapSeconds: -1 },
  },
  "webhookEndpoints.sendTestEvent": {
    who: "managers",
    scope: "webhooks:configure",
    sound: { slug: "nothing", eventType: "invoice.paid" },
    malformed: { slug: "nothing" },
  },
  "webhookEndpoints.testSample": {
    who: "managers",
    scope: "webhooks:configure",
    sound: { slug: "stripe", provider: "stripe", secret: "whsec_sample", headers: "", body: "{}" },
    malformed: { slug: "stripe", provider: "stripe", secret: "whsec_sample" },
  },
  "selfRegistered.list": {
    who: "viewers",
    scope: "console:read",
    sound: { state: "waiting" },
    malformed: { state: "asleep" },
  },
  "selfRegistered.groups": { who: "viewers", scope: "console:read", sound: undefined, malformed: undefined },
  "selfRegistered.get": { who: "viewers", scope: "console:read", sound: { clientId: "nobody" }, malformed: {} },
  "selfRegistered.idle": {
    who: "viewers",
    scope: "console:read",
    sound: { idleDays: 30 },
    malformed: { idleDays: 0 },
  },
  "selfRegistered.approve": {
    who: "admins",
    scope: "console:write",
    sound: { clientId: "nobody", approved: true, version: 1 },
    malformed: { clientId: "nobody", approved: true },
  },
  "selfRegistered.fetchAgain": { who: "admins", scope: "console:write", sound: { clientId: "nobody" }, malformed: {} },
  "selfRegistered.prune": {
    who: "admins",
    scope: "console:write",
    sound: { idleDays: 30 },
    malformed: { idleDays: 0 },
    fresh: true,
  },
  "users.connectedApps": { who: "viewers", scope: "console:read", sound: { id: "user" }, malformed: {} },
  "users.disconnectApp": {
    who: "admins",
    scope: "console:write",
    sound: { id: "user", clientId: "nobody" },
    malformed: { id: "user" },
    fresh: true,
  },
  "keys.list": { who: "viewers", scope: "console:read", sound: undefined, malformed: undefined },
  "keys.rotate": {
    who: "admins",
    scope: "console:write",
    sound: { algorithm: "ES256", mode: "ahead" },
    malformed: { algorithm: "HS256", mode: "ahead" },
    fresh: true,
  },
  "lookup.find": {
    who: "viewers",
    scope: "console:read",
    sound: { text: "ada@example.com" },
    malformed: { text: "" },
  },
  "signInProviders.list": { who: "viewers", scope: "console:read", sound: undefined, malformed: undefined },
  "signInProviders.get": { who: "viewers", scope: "console:read", sound: { id: "nothing" }, malformed: {} },
  "signInProviders.presets": { who: "viewers", scope: "console:read", sound: undefined, malformed: undefined },
  "signInProviders.create": {
    who: "admins",
    scope: "console:write",
    sound: { id: "google", preset: "google", clientId: "client", secret: "secret" },
    malformed: { id: "Google", preset: "google", clientId: "client" },
    fresh: true,
  },
  "signInProviders.update": {
    who: "admins",
    scope: "console:write",
    sound: { id: "nothing", name: "n" },
    malformed: { id: 7 },
    fresh: true,
  },
  "signInProviders.setEnabled": {
    who: "admins",
    scope: "console:write",
    sound: { id: "nothing", enabled: true },
    malformed: { id: "nothing" },
    fresh: true,
  },
  "signInProviders.remove": {
    who: "admins",
    scope: "console:write",
    sound: { id: "nothing" },
    malformed: {},
    fresh: true,
  },
  "signInProviders.startTest": {
    who: "admins",
    scope: "console:write",
    sound: { id: "nothing" },
    malformed: {},
    fresh: true,
  },
  "signInProviders.finishTest": {
    who: "admins",
    scope: "console:write",
    sound: { id: "nothing", report: "none" },
    malformed: { id: "nothing" },
  },
  "signInProviders.test": { who: "admins", scope: "console:write", sound: { id: "nothing" }, malformed: {} },
  "mails.status": { who: "admins", scope: "console:read", sound: undefined, malformed: undefined },
  "mails.list": { who: "admins", scope: "console:read", sound: {}, malformed: { state: "lost" } },
  "mails.get": { who: "admins", scope: "console:read", sound: { id: "nothing" }, malformed: {} },
  "mails.sendTest": { who: "admins", scope: "console:write", sound: undefined, malformed: undefined },
  "configuration.export": { who: "admins", scope: "console:read", sound: undefined, malformed: undefined },
  "configuration.plan": {
    who: "admins",
    scope: "console:write",
    sound: { file: "{}" },
    malformed: { file: "not JSON" },
  },
  "configuration.drift": {
    who: "admins",
    scope: "console:read",
    sound: {},
    malformed: { cursor: 7 },
  },
  "configuration.unlock": {
    who: "managers",
    scope: "console:write",
    sound: { kind: "client", id: "nothing" },
    malformed: { kind: "user", id: "u" },
    fresh: true,
  },
  "configuration.applyFile": {
    who: "admins",
    scope: "console:write",
    sound: { file: "{}", planId: "of another file" },
    malformed: { file: "{}", planId: "", prune: 0 },
    fresh: true,
  },
  "settings.list": { who: "admins", scope: "console:read", sound: undefined, malformed: undefined },
  "settings.change": {
    who: "admins",
    scope: "console:write",
    sound: { values: {}, version: 0 },
    malformed: { values: { GATEHOUSE_PRODUCT_NAME: 7 }, version: 0 },
    fresh: true,
  },
  "settings.logo": { who: "admins", scope: "console:read", sound: undefined, malformed: undefined },
  "settings.setLogo": {
    who: "admins",
    scope: "console:write",
    sound: { logo: null, version: 0 },
    malformed: { logo: "!", version: 0 },
    fresh: true,
  },
  "settings.older": {
    who: "admins",
    scope: "console:read",
    sound: { log: "audit", days: 30 },
    malformed: { log: "audit", days: 0 },
  },
  "mails.retry": { who: "admins", scope: "console:write", sound: { id: "nothing" }, malformed: {} },
  "mails.message": { who: "admins", scope: "console:read", sound: { id: "nothing" }, malformed: {} },
  "audit.list": { who: "viewers", scope: "console:read", sound: {}, malformed: { environment: "moon" } },
  "audit.get": { who: "viewers", scope: "console:read", sound: { number: 1 }, malformed: { number: 0 } },
  "audit.history": { who: "viewers", scope: "console:read", sound: { objects: ["a"] }, malformed: { objects: [] } },
  "audit.verify": { who: "viewers", scope: "console:read", sound: {}, malformed: { noted: { number: 1 } } },
  "audit.export": {
    who: "viewers",
    scope: "console:read",
    sound: {},
    malformed: { filter: { colour: "red" } },
    fresh: true,
  },
  "audit.exportPage": { who: "viewers", scope: "console:read", sound: { ticket: "t", cursor: null }, malformed: {} },
  "refusals.export": {
    who: "viewers",
    scope: "console:read",
    sound: {},
    malformed: { filter: { colour: "red" } },
    fresh: true,
  },
  "refusals.exportPage": {
    who: "viewers",
    scope: "console:read",
    sound: { ticket: "t", cursor: null },
    malformed: {},
  },
  "applications.export": {
    who: "viewers",
    scope: "console:read",
    sound: {},
    malformed: { filter: { colour: "red" } },
    fresh: true,
  },
  "applications.exportPage": {
    who: "viewers",
    scope: "console:read",
    sound: { ticket: "t", cursor: null },
    malformed: {},
  },
  "applications.list": { who: "viewers", scope: "console:read", sound: {}, malformed: { limit: 0 } },
  "applications.get": { who: "viewers", scope: "console:read", sound: { id: "a" }, malformed: {} },
  "applications.impact": { who: "viewers", scope: "console:read", sound: { id: "a" }, malformed: {} },
  "applications.create": { who: "managers", scope: "console:write", sound: { name: "New" }, malformed: { name: " " } },
  "applications.start": {
    who: "managers",
    scope: "console:write",
    sound: { ...webStart(), name: "Started" },
    malformed: { ...webStart(), name: "Started", type: "robot" },
  },
  "applications.update": {
    who: "managers",
    scope: "console:write",
    sound: { id: "a", name: "New" },
    malformed: { id: "a" },
  },
  "removed.list": { who: "viewers", scope: "console:read", sound: {}, malformed: { limit: 0 } },
  "removed.get": { who: "viewers", scope: "console:read", sound: { id: "nothing" }, malformed: {} },
  "removed.restore": {
    who: "managers",
    scope: "console:write",
    sound: { id: "nothing" },
    malformed: { id: "nothing", name: " " },
  },
  "branding.preview": {
    who: "managers",
    scope: "console:write",
    sound: { applicationId: "a", settings: {} },
    malformed: { applicationId: null, settings: { colour: 7 } },
  },
  "branding.get": { who: "viewers", scope: "console:read", sound: { applicationId: "a" }, malformed: {} },
  "branding.set": {
    who: "managers",
    scope: "console:write",
    sound: { applicationId: "a", settings: { colour: "#4f46e5" } },
    malformed: { applicationId: "a", settings: { shape: "round" } },
  },
  "branding.setLogo": {
    who: "managers",
    scope: "console:write",
    sound: { applicationId: "a", logo: null },
    malformed: { applicationId: "a", logo: "!" },
  },
  "applications.remove": { who: "managers", scope: "console:write", sound: { id: "a" }, malformed: { id: "" } },
  "clients.register": {
    who: "managers",
    scope: "console:write",
    sound: { ...webClient(), applicationId: "a" },
    malformed: { ...webClient(), applicationId: "a", type: "robot" },
  },
  "clients.get": { who: "viewers", scope: "console:read", sound: { clientId: "c" }, malformed: { clientId: 7 } },
  "clients.impact": {
    who: "viewers",
    scope: "console:read",
    sound: { clientId: "c", change: { kind: "disable" } },
    malformed: { clientId: "c", change: { kind: "paint" } },
  },
  "clients.update": {
    who: "managers",
    scope: "console:write",
    sound: { ...webSettings(), clientId: "c" },
    malformed: { clientId: "c" },
  },
  "clients.rename": {
    who: "managers",
    scope: "console:write",
    sound: { applicationId: "a", name: "Main", newName: "Web" },
    malformed: { applicationId: "a", name: "Main", newName: "" },
  },
  "clients.setEnabled": {
    who: "managers",
    scope: "console:write",
    sound: { clientId: "c", enabled: true },
    malformed: { clientId: "c" },
  },
  "clients.testRedirectUri": {
    who: "viewers",
    scope: "console:read",
    sound: { clientId: "c", pasted: "https://shop.example/" },
    malformed: { clientId: "c" },
  },
  "clients.checkRedirectUri": {
    who: "viewers",
    scope: "console:read",
    sound: { uri: "x", type: "web", environment: "staging" },
    malformed: { uri: "x", type: "web", environment: "moon" },
  },
  "clients.addSecret": {
    who: "managers",
    scope: "console:write",
    sound: { clientId: "c" },
    malformed: { clientId: "c", expiresInSeconds: -1 },
  },
  "clients.use": { who: "viewers", scope: "console:read", sound: { clientId: "c" }, malformed: {} },
  "clients.secrets": { who: "viewers", scope: "console:read", sound: { clientId: "c" }, malformed: {} },
  "clients.keepSecret": {
    who: "managers",
    scope: "console:write",
    sound: { clientId: "c", secretId: "s" },
    malformed: { clientId: "c" },
  },
  "clients.retireSecret": {
    who: "managers",
    scope: "console:write",
    sound: { clientId: "c", secretId: "s" },
    malformed: { clientId: "c" },
  },
  "clients.comparePromotion": {
    who: "viewers",
    scope: "console:read",
    sound: { applicationId: "a", from: "development", to: "staging" },
    malformed: { applicationId: "a", from: "development" },
  },
  "clients.promote": {
    who: "managers",
    scope: "console:write",
    sound: { applicationId: "a", from: "development", to: "staging", redirectUris: [] },
    malformed: { applicationId: "a", from: "development", to: "staging", redirectUris: "https://a.example/cb" },
  },
  "clients.remove": { who: "managers", scope: "console:write", sound: { clientId: "c" }, malformed: null },
  "clientBlocks.list": { who: "admins", scope: "console:write", sound: undefined, malformed: undefined },
  "clientBlocks.impact": {
    who: "admins",
    scope: "console:write",
    sound: { kind: "software_id", value: "s" },
    malformed: { kind: "colour", value: "s" },
  },
  "clientBlocks.block": {
    who: "admins",
    scope: "console:write",
    sound: { kind: "software_id", value: "s" },
    malformed: { kind: "colour", value: "s" },
  },
  "clientBlocks.unblock": {
    who: "admins",
    scope: "console:write",
    sound: { kind: "software_id", value: "s" },
    malformed: { kind: "software_id", value: "" },
  },
  "deliveries.list": { who: "viewers", scope: "webhooks:read", sound: {}, malformed: { outcome: "lost" } },
  "deliveries.get": { who: "viewers", scope: "webhooks:read", sound: { id: "d" }, malformed: {} },
  "deliveries.diagnose": { who: "viewers", scope: "webhooks:read", sound: { id: "d" }, malformed: {} },
  "deliveries.attempts": { who: "viewers", scope: "webhooks:read", sound: { id: "d" }, malformed: {} },
  "deliveries.related": { who: "viewers", scope: "webhooks:read", sound: { id: "d" }, malformed: {} },
  "deliveries.reveal": {
    who: "managers",
    scope: "webhooks:reveal",
    sound: { id: "d" },
    malformed: {},
    fresh: true,
  },
  "deliveries.deletePayload": {
    who: "managers",
    scope: "webhooks:configure",
    sound: { id: "d" },
    malformed: {},
    fresh: true,
  },
  "deliveries.curl": { who: "managers", scope: "webhooks:reveal", sound: { id: "d" }, malformed: {} },
  "deliveries.export": { who: "viewers", scope: "webhooks:read", sound: {}, malformed: { ids: [] }, fresh: true },
  "deliveries.exportPage": {
    who: "viewers",
    scope: "webhooks:read",
    sound: { ticket: "t", cursor: null },
    malformed: {},
  },
  "deliveries.stats": { who: "viewers", scope: "webhooks:read", sound: { range: "24h" }, malformed: { range: "2h" } },
  "deliveries.rerun": { who: "managers", scope: "webhooks:replay", sound: { id: "d" }, malformed: {}, fresh: true },
  "deliveries.rerunMany": {
    who: "managers",
    scope: "webhooks:replay",
    sound: { ids: ["d"] },
    malformed: { ids: [] },
    fresh: true,
  },
  "deliveries.rerunProgress": { who: "managers", scope: "webhooks:replay", sound: { rerunId: "r" }, malformed: {} },
  "deliveries.cancelRerun": {
    who: "managers",
    scope: "webhooks:replay",
    sound: { rerunId: "r" },
    malformed: {},
    fresh: true,
  },
  "deliveries.facets": { who: "viewers", scope: "webhooks:read", sound: undefined, malformed: undefined },
  "doctor.endpoints": { who: "managers", scope: "webhooks:configure", sound: undefined, malformed: undefined },
  "doctor.examine": {
    who: "managers",
    scope: "webhooks:configure",
    sound: { endpoint: "none" },
    malformed: { endpoint: 7 },
  },
  "invitations.list": { who: "viewers", scope: "console:read", sound: {}, malformed: { limit: 0 } },
  "invitations.create": {
    who: "admins",
    scope: "console:write",
    sound: { email: "invited@example.com", role: "viewer" },
    malformed: { email: "invited@example.com", role: "king" },
    fresh: true,
  },
  "invitations.resend": { who: "admins", scope: "console:write", sound: { id: "i" }, malformed: {}, fresh: true },
  "invitations.withdraw": { who: "admins", scope: "console:write", sound: { id: "i" }, malformed: {}, fresh: true },
  "status.get": { who: "admins", scope: "console:read", sound: undefined, malformed: undefined },
  "jobs.list": { who: "admins", scope: "console:read", sound: {}, malformed: { state: "lost" } },
  "jobs.retry": { who: "admins", scope: "console:write", sound: { id: "j" }, malformed: {} },
  "jobs.drop": { who: "admins", scope: "console:write", sound: { id: "j" }, malformed: {} },
  "reconciliations.list": { who: "viewers", scope: "webhooks:read", sound: undefined, malformed: undefined },
  "refusals.list": { who: "viewers", scope: "console:read", sound: {}, malformed: { cause: "bad luck" } },
  "refusals.one": { who: "viewers", scope: "console:read", sound: { errorId: "7K3M9Q2XTV" }, malformed: {} },
  "refusals.groups": { who: "viewers", scope: "console:read", sound: {}, malformed: { state: "lost" } },
  "refusals.group": { who: "viewers", scope: "console:read", sound: { key: "g" }, malformed: {} },
  "refusals.decide": {
    who: "managers",
    scope: "console:write",
    sound: { key: "g", decision: { kind: "resolved" } },
    malformed: { key: "g", decision: { kind: "muted" } },
  },
  "savedViews.list": {
    who: "viewers",
    scope: "console:read",
    sound: { list: "/users" },
    malformed: { list: "//evil.example" },
  },
  "savedViews.save": {
    who: "managers",
    scope: "console:write",
    sound: { list: "/users", name: "Admins", query: "role=admin" },
    malformed: { list: "/users", name: "Admins", query: "role=a b" },
  },
  "savedViews.remove": { who: "managers", scope: "console:write", sound: { id: "v" }, malformed: {} },
  "registrationTokens.list": { who: "admins", scope: "console:write", sound: undefined, malformed: undefined },
  "registrationTokens.create": {
    who: "admins",
    scope: "console:write",
    sound: { name: "CI" },
    malformed: { name: "CI", uses: 0 },
  },
  "registrationTokens.revoke": { who: "admins", scope: "console:write", sound: { id: "t" }, malformed: {} },
  "resources.list": { who: "viewers", scope: "console:read", sound: undefined, malformed: undefined },
  "resources.create": {
    who: "admins",
    scope: "console:write",
    sound: STOCK,
    malformed: { ...STOCK, tokenFormat: "paper" },
  },
  "resources.update": { who: "admins", scope: "console:write", sound: STOCK, malformed: { id: STOCK.id } },
  "resources.setEnabled": {
    who: "admins",
    scope: "console:write",
    sound: { id: STOCK.id, enabled: true },
    malformed: { id: STOCK.id },
  },
  "resources.usage": { who: "viewers", scope: "console:read", sound: { id: STOCK.id }, malformed: {} },
  "resources.remove": { who: "admins", scope: "console:write", sound: { id: STOCK.id }, malformed: {}, fresh: true },
  "try.start": {
    who: "managers",
    scope: "console:write",
    sound: { clientId: "shop-dev", kind: "code" },
    malformed: { clientId: "shop-dev", kind: "password" },
  },
  "previews.list": {
    who: "viewers",
    scope: "console:read",
    sound: { clientId: "shop-dev" },
    malformed: {},
  },
  "previews.put": {
    who: "managers",
    scope: "console:write",
    sound: { clientId: "shop-dev", key: "pr-1", redirectUri: "https://pr-1.preview.example.com/cb" },
    malformed: { clientId: "shop-dev", key: "pr/1", redirectUri: "https://pr-1.preview.example.com/cb" },
  },
  "previews.end": {
    who: "managers",
    scope: "console:write",
    sound: { clientId: "shop-dev", key: "pr-1" },
    malformed: { clientId: "shop-dev" },
  },
  "previews.putNumbered": {
    who: "managers",
    scope: "console:write",
    sound: { clientId: "shop-dev" },
    malformed: {},
  },
  "previews.setFrame": {
    who: "admins",
    scope: "console:write",
    sound: { clientId: "shop-dev", version: 1, frame: null },
    malformed: { clientId: "shop-dev", version: 1 },
  },
  "try.step": {
    who: "managers",
    scope: "console:write",
    sound: { ticket: "t", step: { kind: "poll" } },
    malformed: { ticket: "t" },
  },
  "try.check": { who: "managers", scope: "console:write", sound: { ticket: "t" }, malformed: {} },
  "try.end": { who: "managers", scope: "console:write", sound: { ticket: "t" }, malformed: {} },
  "signIns.list": { who: "viewers", scope: "console:read", sound: {}, malformed: { cause: "bad luck" } },
  "signIns.get": { who: "viewers", scope: "console:read", sound: { id: "none" }, malformed: {} },
  "users.list": { who: "viewers", scope: "console:read", sound: {}, malformed: { role: "king" } },
  "users.get": { who: "viewers", scope: "console:read", sound: { id: "u" }, malformed: {} },
  "users.security": { who: "viewers", scope: "console:read", sound: { id: "u" }, malformed: {} },
  "users.history": { who: "viewers", scope: "console:read", sound: { id: "u" }, malformed: {} },
  "users.events": { who: "viewers", scope: "console:read", sound: { id: "u" }, malformed: {} },
  "users.export": {
    who: "admins",
    scope: "console:write",
    sound: {},
    malformed: { filter: { role: "king" } },
    fresh: true,
  },
  "users.exportPage": { who: "admins", scope: "console:read", sound: { ticket: "t", cursor: null }, malformed: {} },
  "users.update": {
    who: "admins",
    scope: "console:write",
    sound: { id: "u", name: "U", role: "user" },
    malformed: { id: "u", name: "U", role: "king" },
    fresh: true,
  },
  "users.setDisabled": {
    who: "admins",
    scope: "console:write",
    sound: { id: "u", disabled: true },
    malformed: { id: "u" },
    fresh: true,
  },
  "users.count": { who: "viewers", scope: "console:read", sound: undefined, malformed: undefined },
  "users.delete": { who: "admins", scope: "console:write", sound: { id: "u" }, malformed: {}, fresh: true },
  "users.restore": { who: "admins", scope: "console:write", sound: { id: "u" }, malformed: {}, fresh: true },
  "users.revokeTokens": { who: "admins", scope: "console:write", sound: { id: "u" }, malformed: {}, fresh: true },
  "users.sendResetLink": { who: "admins", scope: "console:write", sound: { id: "u" }, malformed: {}, fresh: true },
  "users.requirePassword": { who: "admins", scope: "console:write", sound: { id: "u" }, malformed: {}, fresh: true },
  "users.resetSecondFactors": {
    who: "admins",
    scope: "console:write",
    sound: { id: "u", reason: "lost phone" },
    malformed: { id: "u" },
    fresh: true,
  },
  "sessions.list": { who: "viewers", scope: "console:read", sound: { userId: "u" }, malformed: {} },
  "sessions.revoke": {
    who: "admins",
    scope: "console:write",
    sound: { userId: "u", sessionId: "s" },
    malformed: { userId: "u" },
    fresh: true,
  },
  "sessions.mine": { who: "viewers", scope: "console:read", sound: undefined, malformed: undefined },
  "sessions.endMine": { who: "viewers", scope: "console:read", sound: { sessionId: "s" }, malformed: {} },
  "sessions.revokeAll": {
    who: "admins",
    scope: "console:write",
    sound: { userId: "u" },
    malformed: { userId: "u", apps: "all" },
    fresh: true,
  },
  "scopes.list": { who: "viewers", scope: "console:read", sound: undefined, malformed: undefined },
  "me.get": { who: "everybody", scope: "api:read", sound: undefined, malformed: undefined },
  "me.sessions": { who: "everybody", scope: "account:read", sound: undefined, malformed: undefined },
  "me.connectedApps": { who: "everybody", scope: "account:read", sound: undefined, malformed: undefined },
  "me.revokeApp": { who: "everybody", scope: "account:write", sound: { clientId: "c" }, malformed: {} },
  "me.revokeSession": { who: "everybody", scope: "account:write", sound: { sessionId: "s" }, malformed: {} },
};

/** The procedures that accept API tokens, with the scope; every other one refuses them. CO-70. */
const BY_API_TOKEN: Record<string, string> = {
  "applications.list": "clients:read",
  "applications.get": "clients:read",
  "clients.get": "clients:read",
  "clients.secrets": "clients:read",
  "clients.use": "clients:read",
  "audit.list": "audit:read",
  "audit.get": "audit:read",
  "audit.history": "audit:read",
  "audit.verify": "audit:read",
  "audit.export": "audit:read",
  "audit.exportPage": "audit:read",
  "deliveries.list": "deliveries:read",
  "deliveries.get": "deliveries:read",
  "deliveries.related": "deliveries:read",
  "deliveries.stats": "deliveries:read",
  "deliveries.facets": "deliveries:read",
  "deliveries.export": "deliveries:read",
  "deliveries.exportPage": "deliveries:read",
  "configuration.export": "config:plan",
  "configuration.plan": "config:plan",
  "configuration.drift": "config:plan",
  "configuration.applyFile": "config:apply",
  "previews.list": "previews:write",
  "previews.put": "previews:write",
  "previews.end": "previews:write",
  "refusals.list": "failures:read",
  "refusals.one": "failures:read",
  "refusals.groups": "failures:read",
  "refusals.group": "failures:read",
};

const ruleOf = (path: string): EnvironmentRule =>
  PROCEDURES.find((procedure) => procedure.path === path)?.requirements.environment ?? "none";

test("CO-90 every procedure is in the table above", () => {
  expect(PROCEDURES.map(({ path }) => path).sort()).toEqual(Object.keys(TABLE).sort());
  const bound = PROCEDURES.filter(({ path }) => ruleOf(path) !== "none");
  expect(Object.keys(ENVIRONMENT_CALLS).sort()).toEqual(bound.map(({ path }) => path).sort());
});

test("CO-90 every procedure declares what the table says", () => {
  const declared = PROCEDURES.map(({ path, requirements: { may, scope, fresh = false } }) => [
    path,
    rolesThat(may),
    scope,
    fresh,
  ]);
  const expected = PROCEDURES.map(({ path }) => {
    const { who, scope, fresh = false } = TABLE[path] ?? expect.fail(`${path} has no row`);
    return [path, MAY[who], scope, fresh];
  });
  expect(declared).toEqual(expected);
  const byApiToken = PROCEDURES.flatMap(({ path, requirements: { apiToken } }) =>
    apiToken ? [[path, apiToken.scope]] : [],
  );
  expect(Object.fromEntries(byApiToken)).toEqual(BY_API_TOKEN);
});

/** "OK", or the code of the refusal. */
async function codeOf(call: () => unknown): Promise<string> {
  try {
    await call();
    return "OK";
  } catch (error) {
    if (!(error instanceof TRPCError) || error.code === "INTERNAL_SERVER_ERROR") throw error;
    return error.code;
  }
}

/**
 * Sign-ins that are not fresh: too long ago, without the second factor that the user has, and at a provider that does
 * not say when.
 */
const NOT_FRESH: readonly SignIn[] = [{ authTime: NOON - FRESH_SECONDS }, { acr: ACR.password }, { undated: true }];

async function enrolSecondFactors({ deps }: Installation): Promise<void> {
  const totp = { secret: "sealed", lastStep: 0, createdAt: NOON };
  for (const userId of ROLES) await deps.people.addTotp({ userId, signInEpoch: 0 }, totp, undefined, {});
}

/** What an object of this environment makes of a call by this role. */
function expectedIn(
  environment: Environment,
  role: (typeof ROLES)[number],
  freshly: boolean,
  row: Row,
  rule: ByEnvironment,
): string {
  if (!MAY[row.who].includes(role)) return "FORBIDDEN";
  if (row.fresh && !freshly) return "UNAUTHORIZED";
  if (rule.adminsOnly?.includes(environment) && role !== "admin") return "FORBIDDEN";
  if (rule.never?.in.includes(environment)) return rule.never.outcome;
  return rule.fresh?.includes(environment) && !freshly ? "UNAUTHORIZED" : "OK";
}

describe.each(engines.slice(0, 1))("CO-90 who may call what in which environment", (engine) => {
  let it: Installation;
  let places = 0;
  beforeAll(async () => {
    it = await openInstallation(engine);
    await enrolSecondFactors(it);
  });
  afterAll(() => it.close());

  test.each(Object.entries(ENVIRONMENT_CALLS))("CO-88 SN-03 %s", async (path, { prepare, call }) => {
    const row = TABLE[path] ?? expect.fail(`${path} has no row`);
    const rule = ruleOf(path);
    const seed = async (environment: Environment) => {
      const place = await seedPlace(it, environment, ++places);
      return { place, prepared: await prepare(place) };
    };
    const changes = rule !== "any" && rule !== "absent in production";
    for (const environment of ENVIRONMENTS) {
      let scene = await seed(environment);
      for (const role of ROLES)
        for (const signIn of [...NOT_FRESH, {}]) {
          const freshly = Object.keys(signIn).length === 0;
          const got = await codeOf(() => call(it.as(role, undefined, signIn), scene.place, scene.prepared));
          expect([environment, role, signIn, got]).toEqual([
            environment,
            role,
            signIn,
            expectedIn(environment, role, freshly, row, BY_ENVIRONMENT[rule]),
          ]);
          if (got === "OK" && changes) scene = await seed(environment); // the call may have used it up
        }
    }
  });
});

describe.each(engines.slice(0, 1))("CO-90 who may call what", (engine) => {
  let it: Installation;
  beforeAll(async () => {
    it = await openInstallation(engine);
    await enrolSecondFactors(it);
    await seedApplication(it.deps);
    await createWebhookEndpoint({ slug: "stripe-dev", provider: "stripe", environment: "development" }, ADMIN, it.deps);
  });
  afterAll(() => it.close());

  /** What the call came to: "OK" for anything but a refusal of the caller or the input. */
  async function outcome(caller: Installation["stranger"], path: string, input: unknown): Promise<string> {
    const procedure = path.split(".").reduce<unknown>((at, name) => Reflect.get(Object(at), name), caller);
    if (typeof procedure !== "function") throw new Error(`${path} is not callable`);
    const code = await codeOf(() => procedure(input));
    return code === "NOT_FOUND" || code === "CONFLICT" ? "OK" : code;
  }

  test.each(Object.entries(TABLE))("%s", async (path, { who, scope, sound, malformed, fresh = false }) => {
    expect(await outcome(it.stranger, path, sound)).toBe("UNAUTHORIZED");
    for (const role of ROLES) {
      const allowed = MAY[who].includes(role);
      expect([role, await outcome(it.as(role), path, sound)]).toEqual([role, allowed ? "OK" : "FORBIDDEN"]);
      // A token needs the scope as well as its user the role: neither stands in for the other.
      expect([role, await outcome(it.as(role, [scope]), path, sound)]).toEqual([role, allowed ? "OK" : "FORBIDDEN"]);
    }
    const others = Object.keys(SCOPES).filter((name) => name !== scope);
    expect(await outcome(it.as("admin", others), path, sound)).toBe("FORBIDDEN");
    for (const signIn of [{ authTime: null }, ...NOT_FRESH])
      expect([signIn, await outcome(it.as("admin", [scope], signIn), path, sound)]).toEqual([
        signIn,
        fresh ? "UNAUTHORIZED" : "OK",
      ]);
    if (malformed !== undefined) expect(await outcome(it.as("admin"), path, malformed)).toBe("BAD_REQUEST");
  });

  test.each(Object.entries(TABLE))("CO-70 CO-88 %s by API token", async (path, { sound }) => {
    const scope = BY_API_TOKEN[path];
    const others = Object.keys(API_TOKEN_SCOPES).filter((name) => name !== scope);
    expect(await outcome(it.asToken([...others, ...Object.keys(SCOPES)]), path, sound)).toBe("FORBIDDEN");
    if (scope !== undefined) expect(await outcome(it.asToken([scope]), path, sound)).toBe("OK");
    // None of these inputs names an environment or that client, so a limited token gets nothing but "not found".
    const limited = it.asToken(Object.keys(API_TOKEN_SCOPES), { clientId: "another" });
    expect(await outcome(limited, path, sound)).toBe("FORBIDDEN");
  });
});
