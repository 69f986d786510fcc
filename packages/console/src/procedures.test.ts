import { ACR, ENVIRONMENTS, type Environment, SCOPES } from "@gatehouse/auth";
import { engines } from "@gatehouse/db/testing/engines";
import { TRPCError } from "@trpc/server";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { API_TOKEN_SCOPES } from "./api-tokens/scopes.ts";
import { FRESH_SECONDS } from "./permissions.ts";
import { appRouter } from "./root.ts";
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
import { createWebhookEndpoint } from "./webhook-endpoints/endpoints.ts";

type Who = "viewers" | "managers" | "admins" | "everybody";
const MAY: Record<Who, readonly string[]> = {
  viewers: ["admin", "developer", "viewer"],
  managers: ["admin", "developer"],
  admins: ["admin"],
  everybody: ["admin", "developer", "viewer", "user"],
};
const ROLES = ["admin", "developer", "viewer", "user"] as const;

const STOCK = { id: "https://stock.example", name: "Stock", scopes: [{ name: "stock:read", description: "see what is in stock" }] };

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
const BY_ENVIRONMENT = {
  /** It names no object of one environment, always means development, or takes what its caller started, who was checked then. */
  none: undefined,
  /** It answers alike in every environment. */
  alike: {},
  managed: PRODUCTION,
  guarded: { ...PRODUCTION, fresh: ["production"] },
  "guarded everywhere": { ...PRODUCTION, fresh: ENVIRONMENTS },
  /** Production has none. */
  "absent in production": { never: { in: ["production"], outcome: "NOT_FOUND" } },
  "never production": { ...PRODUCTION, never: { in: ["production"], outcome: "CONFLICT" } },
} as const satisfies Record<string, ByEnvironment | undefined>;

type Row = {
  environment: keyof typeof BY_ENVIRONMENT;
  who: Who;
  scope: string;
  sound: unknown;
  malformed: unknown;
  fresh?: boolean;
};

/**
 * Every procedure there is: what the environment changes, who may call it, with which scope, a sound input and a malformed one (undefined: it
 * takes none), and whether it always needs a fresh sign-in.
 */
const PROCEDURES: Record<string, Row> = {
  "clients.firstUse": { environment: "alike", who: "viewers", scope: "console:read", sound: { clientId: "shop-dev" }, malformed: {} },
  "apiTokens.list": { environment: "none", who: "admins", scope: "console:read", sound: undefined, malformed: undefined },
  "apiTokens.create": {
    environment: "none",
    who: "admins",
    scope: "console:write",
    sound: { name: "CI", scopes: ["audit:read"] },
    malformed: { name: "CI", scopes: ["console:write"] },
    fresh: true,
  },
  "apiTokens.revoke": { environment: "none", who: "admins", scope: "console:write", sound: { id: "t" }, malformed: {}, fresh: true },
  "overview.get": { environment: "alike", who: "viewers", scope: "console:read", sound: { range: "7d" }, malformed: { range: "1y" } },
  "overview.attention": { environment: "none", who: "viewers", scope: "console:read", sound: { again: true }, malformed: { again: "now" } },
  "overview.firstSteps": { environment: "none", who: "viewers", scope: "console:read", sound: undefined, malformed: undefined },
  "webhookSecrets.list": {
    environment: "alike",
    who: "viewers",
    scope: "webhooks:read",
    sound: { provider: "stripe" },
    malformed: { provider: 7 },
  },
  "webhookSecrets.add": {
    environment: "guarded",
    who: "managers",
    scope: "webhooks:configure",
    sound: { endpoint: "stripe-dev", secret: "whsec_procedures" },
    malformed: { endpoint: "stripe-dev" },
  },
  "webhookSecrets.end": {
    environment: "guarded",
    who: "managers",
    scope: "webhooks:configure",
    sound: { id: "w" },
    malformed: { id: "w", endsAt: "soon" },
  },
  "webhookEndpoints.list": { environment: "none", who: "viewers", scope: "webhooks:read", sound: undefined, malformed: undefined },
  "webhookEndpoints.get": { environment: "alike", who: "viewers", scope: "webhooks:read", sound: { slug: "stripe" }, malformed: {} },
  "webhookEndpoints.providers": { environment: "none", who: "viewers", scope: "webhooks:read", sound: undefined, malformed: undefined },
  "webhookEndpoints.create": {
    environment: "guarded",
    who: "managers",
    scope: "webhooks:configure",
    sound: { slug: "stripe-dev", provider: "stripe", environment: "development" },
    malformed: { slug: "stripe-dev", provider: "stripe", environment: "moon" },
  },
  "webhookEndpoints.update": {
    environment: "guarded",
    who: "managers",
    scope: "webhooks:configure",
    sound: { slug: "stripe-dev", name: "Stripe", version: 0 },
    malformed: { slug: "stripe-dev", name: "Stripe" },
  },
  "webhookEndpoints.setEnabled": {
    environment: "guarded",
    who: "managers",
    scope: "webhooks:configure",
    sound: { slug: "stripe-dev", enabled: false },
    malformed: { slug: "stripe-dev" },
  },
  "webhookEndpoints.remove": {
    environment: "guarded everywhere",
    who: "managers",
    scope: "webhooks:configure",
    sound: { slug: "nothing" },
    malformed: {},
  },
  "webhookEndpoints.testSample": {
    environment: "none",
    who: "managers",
    scope: "webhooks:configure",
    sound: { slug: "stripe", provider: "stripe", secret: "whsec_sample", headers: "", body: "{}" },
    malformed: { slug: "stripe", provider: "stripe", secret: "whsec_sample" },
  },
  "selfRegistered.list": {
    environment: "none",
    who: "viewers",
    scope: "console:read",
    sound: { state: "waiting" },
    malformed: { state: "asleep" },
  },
  "selfRegistered.groups": { environment: "none", who: "viewers", scope: "console:read", sound: undefined, malformed: undefined },
  "selfRegistered.get": { environment: "none", who: "viewers", scope: "console:read", sound: { clientId: "nobody" }, malformed: {} },
  "selfRegistered.idle": {
    environment: "none",
    who: "viewers",
    scope: "console:read",
    sound: { idleDays: 30 },
    malformed: { idleDays: 0 },
  },
  "selfRegistered.approve": {
    environment: "none",
    who: "admins",
    scope: "console:write",
    sound: { clientId: "nobody", approved: true, version: 1 },
    malformed: { clientId: "nobody", approved: true },
  },
  "selfRegistered.fetchAgain": { environment: "none", who: "admins", scope: "console:write", sound: { clientId: "nobody" }, malformed: {} },
  "selfRegistered.prune": {
    environment: "none",
    who: "admins",
    scope: "console:write",
    sound: { idleDays: 30 },
    malformed: { idleDays: 0 },
    fresh: true,
  },
  "users.connectedApps": { environment: "none", who: "viewers", scope: "console:read", sound: { id: "user" }, malformed: {} },
  "users.disconnectApp": {
    environment: "none",
    who: "admins",
    scope: "console:write",
    sound: { id: "user", clientId: "nobody" },
    malformed: { id: "user" },
    fresh: true,
  },
  "keys.list": { environment: "none", who: "viewers", scope: "console:read", sound: undefined, malformed: undefined },
  "keys.rotate": {
    environment: "none",
    who: "admins",
    scope: "console:write",
    sound: { algorithm: "ES256", mode: "ahead" },
    malformed: { algorithm: "HS256", mode: "ahead" },
    fresh: true,
  },
  "lookup.find": {
    environment: "alike",
    who: "viewers",
    scope: "console:read",
    sound: { text: "ada@example.com" },
    malformed: { text: "" },
  },
  "signInProviders.list": { environment: "none", who: "viewers", scope: "console:read", sound: undefined, malformed: undefined },
  "signInProviders.get": { environment: "none", who: "viewers", scope: "console:read", sound: { id: "nothing" }, malformed: {} },
  "signInProviders.presets": { environment: "none", who: "viewers", scope: "console:read", sound: undefined, malformed: undefined },
  "signInProviders.create": {
    environment: "none",
    who: "admins",
    scope: "console:write",
    sound: { id: "google", preset: "google", clientId: "client", secret: "secret" },
    malformed: { id: "Google", preset: "google", clientId: "client" },
    fresh: true,
  },
  "signInProviders.update": {
    environment: "none",
    who: "admins",
    scope: "console:write",
    sound: { id: "nothing", name: "n" },
    malformed: { id: 7 },
    fresh: true,
  },
  "signInProviders.setEnabled": {
    environment: "none",
    who: "admins",
    scope: "console:write",
    sound: { id: "nothing", enabled: true },
    malformed: { id: "nothing" },
    fresh: true,
  },
  "signInProviders.remove": {
    environment: "none",
    who: "admins",
    scope: "console:write",
    sound: { id: "nothing" },
    malformed: {},
    fresh: true,
  },
  "signInProviders.test": { environment: "none", who: "admins", scope: "console:write", sound: { id: "nothing" }, malformed: {} },
  "mails.status": { environment: "none", who: "admins", scope: "console:read", sound: undefined, malformed: undefined },
  "mails.list": { environment: "none", who: "admins", scope: "console:read", sound: {}, malformed: { state: "lost" } },
  "mails.get": { environment: "none", who: "admins", scope: "console:read", sound: { id: "nothing" }, malformed: {} },
  "mails.sendTest": { environment: "none", who: "admins", scope: "console:write", sound: undefined, malformed: undefined },
  "configuration.export": { environment: "none", who: "admins", scope: "console:read", sound: undefined, malformed: undefined },
  "configuration.plan": {
    environment: "none",
    who: "admins",
    scope: "console:write",
    sound: { file: "{}" },
    malformed: { file: "not JSON" },
  },
  "configuration.drift": {
    environment: "none",
    who: "admins",
    scope: "console:read",
    sound: {},
    malformed: { cursor: 7 },
  },
  "configuration.unlock": {
    environment: "managed",
    who: "managers",
    scope: "console:write",
    sound: { kind: "client", id: "nothing" },
    malformed: { kind: "user", id: "u" },
    fresh: true,
  },
  "configuration.applyFile": {
    environment: "none",
    who: "admins",
    scope: "console:write",
    sound: { file: "{}", planId: "of another file" },
    malformed: { file: "{}", planId: "", prune: 0 },
    fresh: true,
  },
  "settings.list": { environment: "none", who: "admins", scope: "console:read", sound: undefined, malformed: undefined },
  "settings.change": {
    environment: "none",
    who: "admins",
    scope: "console:write",
    sound: { values: {}, version: 0 },
    malformed: { values: { GATEHOUSE_PRODUCT_NAME: 7 }, version: 0 },
    fresh: true,
  },
  "settings.logo": { environment: "none", who: "admins", scope: "console:read", sound: undefined, malformed: undefined },
  "settings.setLogo": {
    environment: "none",
    who: "admins",
    scope: "console:write",
    sound: { logo: null, version: 0 },
    malformed: { logo: "!", version: 0 },
    fresh: true,
  },
  "settings.older": {
    environment: "none",
    who: "admins",
    scope: "console:read",
    sound: { log: "audit", days: 30 },
    malformed: { log: "audit", days: 0 },
  },
  "mails.retry": { environment: "none", who: "admins", scope: "console:write", sound: { id: "nothing" }, malformed: {} },
  "mails.mailbox": { environment: "none", who: "admins", scope: "console:read", sound: undefined, malformed: undefined },
  "mails.message": { environment: "none", who: "admins", scope: "console:read", sound: { id: "nothing" }, malformed: {} },
  "audit.list": { environment: "alike", who: "viewers", scope: "console:read", sound: {}, malformed: { environment: "moon" } },
  "audit.get": { environment: "none", who: "viewers", scope: "console:read", sound: { number: 1 }, malformed: { number: 0 } },
  "audit.history": { environment: "none", who: "viewers", scope: "console:read", sound: { objects: ["a"] }, malformed: { objects: [] } },
  "audit.verify": { environment: "none", who: "viewers", scope: "console:read", sound: {}, malformed: { noted: { number: 1 } } },
  "audit.export": {
    environment: "none",
    who: "viewers",
    scope: "console:read",
    sound: {},
    malformed: { filter: { colour: "red" } },
    fresh: true,
  },
  "audit.exportPage": { environment: "none", who: "viewers", scope: "console:read", sound: { ticket: "t", cursor: null }, malformed: {} },
  "refusals.export": {
    environment: "none",
    who: "viewers",
    scope: "console:read",
    sound: {},
    malformed: { filter: { colour: "red" } },
    fresh: true,
  },
  "refusals.exportPage": {
    environment: "none",
    who: "viewers",
    scope: "console:read",
    sound: { ticket: "t", cursor: null },
    malformed: {},
  },
  "applications.export": {
    environment: "none",
    who: "viewers",
    scope: "console:read",
    sound: {},
    malformed: { filter: { colour: "red" } },
    fresh: true,
  },
  "applications.exportPage": {
    environment: "none",
    who: "viewers",
    scope: "console:read",
    sound: { ticket: "t", cursor: null },
    malformed: {},
  },
  "applications.list": { environment: "alike", who: "viewers", scope: "console:read", sound: {}, malformed: { limit: 0 } },
  "applications.get": { environment: "alike", who: "viewers", scope: "console:read", sound: { id: "a" }, malformed: {} },
  "applications.impact": { environment: "alike", who: "viewers", scope: "console:read", sound: { id: "a" }, malformed: {} },
  "applications.create": { environment: "none", who: "managers", scope: "console:write", sound: { name: "New" }, malformed: { name: " " } },
  "applications.start": {
    environment: "none",
    who: "managers",
    scope: "console:write",
    sound: { ...webStart(), name: "Started" },
    malformed: { ...webStart(), name: "Started", type: "robot" },
  },
  "applications.update": {
    environment: "managed",
    who: "managers",
    scope: "console:write",
    sound: { id: "a", name: "New" },
    malformed: { id: "a" },
  },
  "removed.list": { environment: "none", who: "viewers", scope: "console:read", sound: {}, malformed: { limit: 0 } },
  "removed.get": { environment: "alike", who: "viewers", scope: "console:read", sound: { id: "nothing" }, malformed: {} },
  "removed.restore": {
    environment: "guarded",
    who: "managers",
    scope: "console:write",
    sound: { id: "nothing" },
    malformed: { id: "nothing", name: " " },
  },
  "branding.preview": {
    environment: "managed",
    who: "managers",
    scope: "console:write",
    sound: { applicationId: "a", settings: {} },
    malformed: { applicationId: null, settings: { colour: 7 } },
  },
  "branding.get": { environment: "alike", who: "viewers", scope: "console:read", sound: { applicationId: "a" }, malformed: {} },
  "branding.set": {
    environment: "managed",
    who: "managers",
    scope: "console:write",
    sound: { applicationId: "a", settings: { colour: "#4f46e5" } },
    malformed: { applicationId: "a", settings: { shape: "round" } },
  },
  "branding.setLogo": {
    environment: "managed",
    who: "managers",
    scope: "console:write",
    sound: { applicationId: "a", logo: null },
    malformed: { applicationId: "a", logo: "!" },
  },
  "applications.remove": { environment: "guarded", who: "managers", scope: "console:write", sound: { id: "a" }, malformed: { id: "" } },
  "clients.register": {
    environment: "guarded",
    who: "managers",
    scope: "console:write",
    sound: { ...webClient(), applicationId: "a" },
    malformed: { ...webClient(), applicationId: "a", type: "robot" },
  },
  "clients.get": { environment: "alike", who: "viewers", scope: "console:read", sound: { clientId: "c" }, malformed: { clientId: 7 } },
  "clients.impact": {
    environment: "alike",
    who: "viewers",
    scope: "console:read",
    sound: { clientId: "c", change: { kind: "disable" } },
    malformed: { clientId: "c", change: { kind: "paint" } },
  },
  "clients.update": {
    environment: "managed",
    who: "managers",
    scope: "console:write",
    sound: { ...webSettings(), clientId: "c" },
    malformed: { clientId: "c" },
  },
  "clients.rename": {
    environment: "managed",
    who: "managers",
    scope: "console:write",
    sound: { applicationId: "a", name: "Main", newName: "Web" },
    malformed: { applicationId: "a", name: "Main", newName: "" },
  },
  "clients.setEnabled": {
    environment: "managed",
    who: "managers",
    scope: "console:write",
    sound: { clientId: "c", enabled: true },
    malformed: { clientId: "c" },
  },
  "clients.testRedirectUri": {
    environment: "alike",
    who: "viewers",
    scope: "console:read",
    sound: { clientId: "c", pasted: "https://shop.example/" },
    malformed: { clientId: "c" },
  },
  "clients.checkRedirectUri": {
    environment: "alike",
    who: "viewers",
    scope: "console:read",
    sound: { uri: "x", type: "web", environment: "staging" },
    malformed: { uri: "x", type: "web", environment: "moon" },
  },
  "clients.addSecret": {
    environment: "guarded",
    who: "managers",
    scope: "console:write",
    sound: { clientId: "c" },
    malformed: { clientId: "c", expiresInSeconds: -1 },
  },
  "clients.use": { environment: "alike", who: "viewers", scope: "console:read", sound: { clientId: "c" }, malformed: {} },
  "clients.secrets": { environment: "alike", who: "viewers", scope: "console:read", sound: { clientId: "c" }, malformed: {} },
  "clients.keepSecret": {
    environment: "guarded",
    who: "managers",
    scope: "console:write",
    sound: { clientId: "c", secretId: "s" },
    malformed: { clientId: "c" },
  },
  "clients.retireSecret": {
    environment: "guarded",
    who: "managers",
    scope: "console:write",
    sound: { clientId: "c", secretId: "s" },
    malformed: { clientId: "c" },
  },
  "clients.comparePromotion": {
    environment: "alike",
    who: "viewers",
    scope: "console:read",
    sound: { applicationId: "a", from: "development", to: "staging" },
    malformed: { applicationId: "a", from: "development" },
  },
  "clients.promote": {
    environment: "guarded",
    who: "managers",
    scope: "console:write",
    sound: { applicationId: "a", from: "development", to: "staging", redirectUris: [] },
    malformed: { applicationId: "a", from: "development", to: "staging", redirectUris: "https://a.example/cb" },
  },
  "clients.remove": { environment: "guarded", who: "managers", scope: "console:write", sound: { clientId: "c" }, malformed: null },
  "clientBlocks.list": { environment: "none", who: "admins", scope: "console:write", sound: undefined, malformed: undefined },
  "clientBlocks.impact": {
    environment: "none",
    who: "admins",
    scope: "console:write",
    sound: { kind: "software_id", value: "s" },
    malformed: { kind: "colour", value: "s" },
  },
  "clientBlocks.block": {
    environment: "none",
    who: "admins",
    scope: "console:write",
    sound: { kind: "software_id", value: "s" },
    malformed: { kind: "colour", value: "s" },
  },
  "clientBlocks.unblock": {
    environment: "none",
    who: "admins",
    scope: "console:write",
    sound: { kind: "software_id", value: "s" },
    malformed: { kind: "software_id", value: "" },
  },
  "deliveries.list": { environment: "alike", who: "viewers", scope: "webhooks:read", sound: {}, malformed: { outcome: "lost" } },
  "deliveries.get": { environment: "alike", who: "viewers", scope: "webhooks:read", sound: { id: "d" }, malformed: {} },
  "deliveries.diagnose": { environment: "alike", who: "viewers", scope: "webhooks:read", sound: { id: "d" }, malformed: {} },
  "deliveries.attempts": { environment: "alike", who: "viewers", scope: "webhooks:read", sound: { id: "d" }, malformed: {} },
  "deliveries.related": { environment: "alike", who: "viewers", scope: "webhooks:read", sound: { id: "d" }, malformed: {} },
  "deliveries.reveal": {
    environment: "managed",
    who: "managers",
    scope: "webhooks:reveal",
    sound: { id: "d" },
    malformed: {},
    fresh: true,
  },
  "deliveries.deletePayload": {
    environment: "managed",
    who: "managers",
    scope: "webhooks:configure",
    sound: { id: "d" },
    malformed: {},
    fresh: true,
  },
  "deliveries.curl": { environment: "guarded", who: "managers", scope: "webhooks:reveal", sound: { id: "d" }, malformed: {} },
  "deliveries.export": { environment: "alike", who: "viewers", scope: "webhooks:read", sound: {}, malformed: { ids: [] }, fresh: true },
  "deliveries.exportPage": {
    environment: "none",
    who: "viewers",
    scope: "webhooks:read",
    sound: { ticket: "t", cursor: null },
    malformed: {},
  },
  "deliveries.stats": { environment: "alike", who: "viewers", scope: "webhooks:read", sound: { range: "24h" }, malformed: { range: "2h" } },
  "deliveries.rerun": { environment: "managed", who: "managers", scope: "webhooks:replay", sound: { id: "d" }, malformed: {}, fresh: true },
  "deliveries.rerunMany": {
    environment: "alike",
    who: "managers",
    scope: "webhooks:replay",
    sound: { ids: ["d"] },
    malformed: { ids: [] },
    fresh: true,
  },
  "deliveries.rerunProgress": { environment: "none", who: "managers", scope: "webhooks:replay", sound: { rerunId: "r" }, malformed: {} },
  "deliveries.cancelRerun": {
    environment: "none",
    who: "managers",
    scope: "webhooks:replay",
    sound: { rerunId: "r" },
    malformed: {},
    fresh: true,
  },
  "deliveries.facets": { environment: "none", who: "viewers", scope: "webhooks:read", sound: undefined, malformed: undefined },
  "doctor.endpoints": { environment: "none", who: "managers", scope: "webhooks:configure", sound: undefined, malformed: undefined },
  "doctor.examine": {
    environment: "none",
    who: "managers",
    scope: "webhooks:configure",
    sound: { endpoint: "none" },
    malformed: { endpoint: 7 },
  },
  "invitations.list": { environment: "none", who: "viewers", scope: "console:read", sound: {}, malformed: { limit: 0 } },
  "invitations.create": {
    environment: "none",
    who: "admins",
    scope: "console:write",
    sound: { email: "invited@example.com", role: "viewer" },
    malformed: { email: "invited@example.com", role: "king" },
    fresh: true,
  },
  "invitations.resend": { environment: "none", who: "admins", scope: "console:write", sound: { id: "i" }, malformed: {}, fresh: true },
  "invitations.withdraw": { environment: "none", who: "admins", scope: "console:write", sound: { id: "i" }, malformed: {}, fresh: true },
  "jobs.list": { environment: "none", who: "admins", scope: "console:read", sound: {}, malformed: { state: "lost" } },
  "jobs.retry": { environment: "none", who: "admins", scope: "console:write", sound: { id: "j" }, malformed: {} },
  "jobs.drop": { environment: "none", who: "admins", scope: "console:write", sound: { id: "j" }, malformed: {} },
  "reconciliations.list": { environment: "none", who: "viewers", scope: "webhooks:read", sound: undefined, malformed: undefined },
  "refusals.list": { environment: "alike", who: "viewers", scope: "console:read", sound: {}, malformed: { cause: "bad luck" } },
  "refusals.one": { environment: "alike", who: "viewers", scope: "console:read", sound: { errorId: "7K3M9Q2XTV" }, malformed: {} },
  "refusals.groups": { environment: "alike", who: "viewers", scope: "console:read", sound: {}, malformed: { state: "lost" } },
  "refusals.group": { environment: "alike", who: "viewers", scope: "console:read", sound: { key: "g" }, malformed: {} },
  "refusals.decide": {
    environment: "managed",
    who: "managers",
    scope: "console:write",
    sound: { key: "g", decision: { kind: "resolved" } },
    malformed: { key: "g", decision: { kind: "muted" } },
  },
  "savedViews.list": {
    environment: "none",
    who: "viewers",
    scope: "console:read",
    sound: { list: "/users" },
    malformed: { list: "//evil.example" },
  },
  "savedViews.save": {
    environment: "none",
    who: "managers",
    scope: "console:write",
    sound: { list: "/users", name: "Admins", query: "role=admin" },
    malformed: { list: "/users", name: "Admins", query: "role=a b" },
  },
  "savedViews.remove": { environment: "none", who: "managers", scope: "console:write", sound: { id: "v" }, malformed: {} },
  "registrationTokens.list": { environment: "none", who: "admins", scope: "console:write", sound: undefined, malformed: undefined },
  "registrationTokens.create": {
    environment: "none",
    who: "admins",
    scope: "console:write",
    sound: { name: "CI" },
    malformed: { name: "CI", uses: 0 },
  },
  "registrationTokens.revoke": { environment: "none", who: "admins", scope: "console:write", sound: { id: "t" }, malformed: {} },
  "resources.list": { environment: "none", who: "viewers", scope: "console:read", sound: undefined, malformed: undefined },
  "resources.create": {
    environment: "none",
    who: "admins",
    scope: "console:write",
    sound: STOCK,
    malformed: { ...STOCK, tokenFormat: "paper" },
  },
  "resources.update": { environment: "none", who: "admins", scope: "console:write", sound: STOCK, malformed: { id: STOCK.id } },
  "resources.setEnabled": {
    environment: "none",
    who: "admins",
    scope: "console:write",
    sound: { id: STOCK.id, enabled: true },
    malformed: { id: STOCK.id },
  },
  "resources.usage": { environment: "none", who: "viewers", scope: "console:read", sound: { id: STOCK.id }, malformed: {} },
  "resources.remove": { environment: "none", who: "admins", scope: "console:write", sound: { id: STOCK.id }, malformed: {}, fresh: true },
  "try.start": {
    environment: "guarded",
    who: "managers",
    scope: "console:write",
    sound: { clientId: "shop-dev", kind: "code" },
    malformed: { clientId: "shop-dev", kind: "password" },
  },
  "previews.list": {
    environment: "absent in production",
    who: "viewers",
    scope: "console:read",
    sound: { clientId: "shop-dev" },
    malformed: {},
  },
  "previews.put": {
    environment: "never production",
    who: "managers",
    scope: "console:write",
    sound: { clientId: "shop-dev", key: "pr-1", redirectUri: "https://pr-1.preview.example.com/cb" },
    malformed: { clientId: "shop-dev", key: "pr/1", redirectUri: "https://pr-1.preview.example.com/cb" },
  },
  "previews.end": {
    environment: "never production",
    who: "managers",
    scope: "console:write",
    sound: { clientId: "shop-dev", key: "pr-1" },
    malformed: { clientId: "shop-dev" },
  },
  "previews.putNumbered": {
    environment: "never production",
    who: "managers",
    scope: "console:write",
    sound: { clientId: "shop-dev" },
    malformed: {},
  },
  "previews.setFrame": {
    environment: "never production",
    who: "admins",
    scope: "console:write",
    sound: { clientId: "shop-dev", version: 1, frame: null },
    malformed: { clientId: "shop-dev", version: 1 },
  },
  "try.step": {
    environment: "none",
    who: "managers",
    scope: "console:write",
    sound: { ticket: "t", step: { kind: "poll" } },
    malformed: { ticket: "t" },
  },
  "try.check": { environment: "none", who: "managers", scope: "console:write", sound: { ticket: "t" }, malformed: {} },
  "try.end": { environment: "none", who: "managers", scope: "console:write", sound: { ticket: "t" }, malformed: {} },
  "users.list": { environment: "none", who: "viewers", scope: "console:read", sound: {}, malformed: { role: "king" } },
  "users.get": { environment: "none", who: "viewers", scope: "console:read", sound: { id: "u" }, malformed: {} },
  "users.security": { environment: "none", who: "viewers", scope: "console:read", sound: { id: "u" }, malformed: {} },
  "users.history": { environment: "none", who: "viewers", scope: "console:read", sound: { id: "u" }, malformed: {} },
  "users.events": { environment: "none", who: "viewers", scope: "console:read", sound: { id: "u" }, malformed: {} },
  "users.export": {
    environment: "none",
    who: "admins",
    scope: "console:write",
    sound: {},
    malformed: { filter: { role: "king" } },
    fresh: true,
  },
  "users.exportPage": { environment: "none", who: "admins", scope: "console:read", sound: { ticket: "t", cursor: null }, malformed: {} },
  "users.update": {
    environment: "none",
    who: "admins",
    scope: "console:write",
    sound: { id: "u", name: "U", role: "user" },
    malformed: { id: "u", name: "U", role: "king" },
    fresh: true,
  },
  "users.setDisabled": {
    environment: "none",
    who: "admins",
    scope: "console:write",
    sound: { id: "u", disabled: true },
    malformed: { id: "u" },
    fresh: true,
  },
  "users.revokeTokens": { environment: "none", who: "admins", scope: "console:write", sound: { id: "u" }, malformed: {}, fresh: true },
  "users.sendResetLink": { environment: "none", who: "admins", scope: "console:write", sound: { id: "u" }, malformed: {}, fresh: true },
  "users.requirePassword": { environment: "none", who: "admins", scope: "console:write", sound: { id: "u" }, malformed: {}, fresh: true },
  "users.resetSecondFactors": {
    environment: "none",
    who: "admins",
    scope: "console:write",
    sound: { id: "u", reason: "lost phone" },
    malformed: { id: "u" },
    fresh: true,
  },
  "sessions.list": { environment: "none", who: "viewers", scope: "console:read", sound: { userId: "u" }, malformed: {} },
  "sessions.revoke": {
    environment: "none",
    who: "admins",
    scope: "console:write",
    sound: { userId: "u", sessionId: "s" },
    malformed: { userId: "u" },
    fresh: true,
  },
  "sessions.mine": { environment: "none", who: "viewers", scope: "console:read", sound: undefined, malformed: undefined },
  "sessions.endMine": { environment: "none", who: "viewers", scope: "console:read", sound: { sessionId: "s" }, malformed: {} },
  "sessions.revokeAll": {
    environment: "none",
    who: "admins",
    scope: "console:write",
    sound: { userId: "u" },
    malformed: { userId: "u", apps: "all" },
    fresh: true,
  },
  "scopes.list": { environment: "none", who: "viewers", scope: "console:read", sound: undefined, malformed: undefined },
  "me.get": { environment: "none", who: "everybody", scope: "api:read", sound: undefined, malformed: undefined },
  "me.sessions": { environment: "none", who: "everybody", scope: "account:read", sound: undefined, malformed: undefined },
  "me.connectedApps": { environment: "none", who: "everybody", scope: "account:read", sound: undefined, malformed: undefined },
  "me.revokeApp": { environment: "none", who: "everybody", scope: "account:write", sound: { clientId: "c" }, malformed: {} },
  "me.revokeSession": { environment: "none", who: "everybody", scope: "account:write", sound: { sessionId: "s" }, malformed: {} },
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

test("CO-90 every procedure is in the table above", () => {
  expect(Object.keys(appRouter._def.procedures).sort()).toEqual(Object.keys(PROCEDURES).sort());
  const bound = Object.entries(PROCEDURES).filter(([, { environment }]) => environment !== "none");
  expect(Object.keys(ENVIRONMENT_CALLS).sort()).toEqual(bound.map(([path]) => path).sort());
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

/** Sign-ins that are not fresh: too long ago, without the second factor that the user has, and at a provider that does not say when. */
const NOT_FRESH: readonly SignIn[] = [{ authTime: NOON - FRESH_SECONDS }, { acr: ACR.password }, { undated: true }];

async function enrolSecondFactors({ deps }: Installation): Promise<void> {
  const totp = { secret: "sealed", lastStep: 0, createdAt: NOON };
  for (const userId of ROLES) await deps.people.addTotp({ userId, signInEpoch: 0 }, totp, undefined, {});
}

/** What an object of this environment makes of a call by this role. */
function expectedIn(environment: Environment, role: (typeof ROLES)[number], freshly: boolean, row: Row): string {
  const rule: ByEnvironment = BY_ENVIRONMENT[row.environment] ?? {};
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
    const row = PROCEDURES[path] ?? expect.fail(`${path} has no row`);
    const seed = async (environment: Environment) => {
      const place = await seedPlace(it, environment, ++places);
      return { place, prepared: await prepare(place) };
    };
    const changes = row.environment !== "alike" && row.environment !== "absent in production";
    for (const environment of ENVIRONMENTS) {
      let scene = await seed(environment);
      for (const role of ROLES)
        for (const signIn of [...NOT_FRESH, {}]) {
          const freshly = Object.keys(signIn).length === 0;
          const got = await codeOf(() => call(it.as(role, undefined, signIn), scene.place, scene.prepared));
          expect([environment, role, signIn, got]).toEqual([environment, role, signIn, expectedIn(environment, role, freshly, row)]);
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

  test.each(Object.entries(PROCEDURES))("%s", async (path, { who, scope, sound, malformed, fresh = false }) => {
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
      expect([signIn, await outcome(it.as("admin", [scope], signIn), path, sound)]).toEqual([signIn, fresh ? "UNAUTHORIZED" : "OK"]);
    if (malformed !== undefined) expect(await outcome(it.as("admin"), path, malformed)).toBe("BAD_REQUEST");
  });

  test.each(Object.entries(PROCEDURES))("CO-70 CO-88 %s by API token", async (path, { sound }) => {
    const scope = BY_API_TOKEN[path];
    const others = Object.keys(API_TOKEN_SCOPES).filter((name) => name !== scope);
    expect(await outcome(it.asToken([...others, ...Object.keys(SCOPES)]), path, sound)).toBe("FORBIDDEN");
    if (scope !== undefined) expect(await outcome(it.asToken([scope]), path, sound)).toBe("OK");
    // None of these inputs names an environment or that client, so a limited token gets nothing but "not found".
    const limited = it.asToken(Object.keys(API_TOKEN_SCOPES), { clientId: "another" });
    expect(await outcome(limited, path, sound)).toBe("FORBIDDEN");
  });
});
