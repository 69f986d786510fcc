import { SCOPES } from "@gatehouse/auth";
import { engines } from "@gatehouse/db/testing";
import { createWebhookEndpoint, FRESH_SECONDS } from "@gatehouse/operations";
import { TRPCError } from "@trpc/server";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { appRouter } from "./root.ts";
import { ADMIN, type Installation, NOON, openInstallation, seedApplication, webClient } from "./testing/installation.ts";

type Who = "viewers" | "managers" | "admins" | "everybody";
const MAY: Record<Who, readonly string[]> = {
  viewers: ["admin", "developer", "viewer"],
  managers: ["admin", "developer"],
  admins: ["admin"],
  everybody: ["admin", "developer", "viewer", "user"],
};
const ROLES = ["admin", "developer", "viewer", "user"] as const;

const STOCK = { id: "https://stock.example", name: "Stock", scopes: [{ name: "stock:read", description: "see what is in stock" }] };

/** Every procedure there is: who may call it, with which scope, a sound input and a malformed one (undefined: it takes none), and whether it needs a fresh sign-in. */
const PROCEDURES: Record<string, { who: Who; scope: string; sound: unknown; malformed: unknown; fresh?: boolean }> = {
  "webhookSecrets.list": { who: "viewers", scope: "webhooks:read", sound: { provider: "stripe" }, malformed: { provider: 7 } },
  "webhookSecrets.add": {
    who: "managers",
    scope: "webhooks:configure",
    sound: { endpoint: "stripe-dev", secret: "whsec_procedures" },
    malformed: { endpoint: "stripe-dev" },
  },
  "webhookSecrets.end": { who: "managers", scope: "webhooks:configure", sound: { id: "w" }, malformed: { id: "w", endsAt: "soon" } },
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
    sound: { slug: "stripe-dev", name: "Stripe" },
    malformed: { slug: "stripe-dev", settings: { nested: {} } },
  },
  "webhookEndpoints.setEnabled": {
    who: "managers",
    scope: "webhooks:configure",
    sound: { slug: "stripe-dev", enabled: false },
    malformed: { slug: "stripe-dev" },
  },
  "webhookEndpoints.remove": { who: "managers", scope: "webhooks:configure", sound: { slug: "nothing" }, malformed: {} },
  "webhookEndpoints.testSample": {
    who: "managers",
    scope: "webhooks:configure",
    sound: { slug: "stripe", provider: "stripe", secret: "whsec_sample", headers: "", body: "{}" },
    malformed: { slug: "stripe", provider: "stripe", secret: "whsec_sample" },
  },
  "applications.list": { who: "viewers", scope: "console:read", sound: {}, malformed: { limit: 0 } },
  "applications.get": { who: "viewers", scope: "console:read", sound: { id: "a" }, malformed: {} },
  "applications.create": { who: "managers", scope: "console:write", sound: { name: "New" }, malformed: { name: " " } },
  "applications.update": { who: "managers", scope: "console:write", sound: { id: "a", name: "New" }, malformed: { id: "a" } },
  "applications.remove": { who: "managers", scope: "console:write", sound: { id: "a" }, malformed: { id: "" } },
  "clients.register": {
    who: "managers",
    scope: "console:write",
    sound: { ...webClient(), applicationId: "a" },
    malformed: { ...webClient(), applicationId: "a", type: "robot" },
  },
  "clients.get": { who: "viewers", scope: "console:read", sound: { clientId: "c" }, malformed: { clientId: 7 } },
  "clients.update": { who: "managers", scope: "console:write", sound: { ...webClient(), clientId: "c" }, malformed: { clientId: "c" } },
  "clients.setEnabled": { who: "managers", scope: "console:write", sound: { clientId: "c", enabled: true }, malformed: { clientId: "c" } },
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
  "deliveries.reveal": { who: "managers", scope: "webhooks:reveal", sound: { id: "d" }, malformed: {}, fresh: true },
  "deliveries.curl": { who: "managers", scope: "webhooks:reveal", sound: { id: "d" }, malformed: {} },
  "deliveries.export": { who: "viewers", scope: "webhooks:read", sound: {}, malformed: { ids: [] }, fresh: true },
  "deliveries.exportPage": { who: "viewers", scope: "webhooks:read", sound: { ticket: "t", cursor: null }, malformed: {} },
  "deliveries.stats": { who: "viewers", scope: "webhooks:read", sound: { range: "24h" }, malformed: { range: "2h" } },
  "deliveries.rerun": { who: "managers", scope: "webhooks:replay", sound: { id: "d" }, malformed: {}, fresh: true },
  "deliveries.rerunMany": { who: "managers", scope: "webhooks:replay", sound: { ids: ["d"] }, malformed: { ids: [] }, fresh: true },
  "deliveries.rerunProgress": { who: "managers", scope: "webhooks:replay", sound: { rerunId: "r" }, malformed: {} },
  "deliveries.cancelRerun": { who: "managers", scope: "webhooks:replay", sound: { rerunId: "r" }, malformed: {}, fresh: true },
  "deliveries.facets": { who: "viewers", scope: "webhooks:read", sound: undefined, malformed: undefined },
  "doctor.endpoints": { who: "managers", scope: "webhooks:configure", sound: undefined, malformed: undefined },
  "doctor.examine": { who: "managers", scope: "webhooks:configure", sound: { endpoint: "none" }, malformed: { endpoint: 7 } },
  "jobs.list": { who: "admins", scope: "console:read", sound: {}, malformed: { state: "lost" } },
  "jobs.retry": { who: "admins", scope: "console:write", sound: { id: "j" }, malformed: {} },
  "jobs.drop": { who: "admins", scope: "console:write", sound: { id: "j" }, malformed: {} },
  "reconciliations.list": { who: "viewers", scope: "webhooks:read", sound: undefined, malformed: undefined },
  "refusals.list": { who: "managers", scope: "console:read", sound: {}, malformed: { cause: "bad luck" } },
  "refusals.one": { who: "managers", scope: "console:read", sound: { errorId: "7K3M9Q2XTV" }, malformed: {} },
  "registrationTokens.list": { who: "admins", scope: "console:write", sound: undefined, malformed: undefined },
  "registrationTokens.create": { who: "admins", scope: "console:write", sound: { name: "CI" }, malformed: { name: "CI", uses: 0 } },
  "registrationTokens.revoke": { who: "admins", scope: "console:write", sound: { id: "t" }, malformed: {} },
  "resources.list": { who: "viewers", scope: "console:read", sound: undefined, malformed: undefined },
  "resources.create": { who: "admins", scope: "console:write", sound: STOCK, malformed: { ...STOCK, tokenFormat: "paper" } },
  "resources.update": { who: "admins", scope: "console:write", sound: STOCK, malformed: { id: STOCK.id } },
  "resources.setEnabled": { who: "admins", scope: "console:write", sound: { id: STOCK.id, enabled: true }, malformed: { id: STOCK.id } },
  "resources.remove": { who: "admins", scope: "console:write", sound: { id: STOCK.id }, malformed: {} },
  "users.list": { who: "viewers", scope: "console:read", sound: {}, malformed: { role: "king" } },
  "users.get": { who: "viewers", scope: "console:read", sound: { id: "u" }, malformed: {} },
  "users.create": {
    who: "admins",
    scope: "console:write",
    sound: { email: "new@example.com", name: "New", password: "correct horse battery", role: "user" },
    malformed: { email: "new", name: "New", password: "correct horse battery", role: "user" },
  },
  "users.update": {
    who: "admins",
    scope: "console:write",
    sound: { id: "u", name: "U", role: "user" },
    malformed: { id: "u", name: "U", role: "king" },
  },
  "users.setDisabled": { who: "admins", scope: "console:write", sound: { id: "u", disabled: true }, malformed: { id: "u" } },
  "users.revokeTokens": { who: "admins", scope: "console:write", sound: { id: "u" }, malformed: {} },
  "sessions.list": { who: "viewers", scope: "console:read", sound: { userId: "u" }, malformed: {} },
  "sessions.revoke": { who: "admins", scope: "console:write", sound: { userId: "u", sessionId: "s" }, malformed: { userId: "u" } },
  "sessions.revokeAll": { who: "admins", scope: "console:write", sound: { userId: "u" }, malformed: { userId: "u", apps: "all" } },
  "scopes.list": { who: "viewers", scope: "console:read", sound: undefined, malformed: undefined },
  "me.get": { who: "everybody", scope: "api:read", sound: undefined, malformed: undefined },
  "me.sessions": { who: "everybody", scope: "account:read", sound: undefined, malformed: undefined },
  "me.connectedApps": { who: "everybody", scope: "account:read", sound: undefined, malformed: undefined },
  "me.revokeApp": { who: "everybody", scope: "account:write", sound: { clientId: "c" }, malformed: {} },
  "me.revokeSession": { who: "everybody", scope: "account:write", sound: { sessionId: "s" }, malformed: {} },
};

test("every procedure is in the table above", () => {
  expect(Object.keys(appRouter._def.procedures).sort()).toEqual(Object.keys(PROCEDURES).sort());
});

describe.each(engines.slice(0, 1))("who may call what", (engine) => {
  let it: Installation;
  beforeAll(async () => {
    it = await openInstallation(engine);
    await seedApplication(it.deps);
    await createWebhookEndpoint({ slug: "stripe-dev", provider: "stripe", environment: "development" }, ADMIN, it.deps);
  });
  afterAll(() => it.close());

  /** What the call came to: "OK" for anything but a refusal of the caller or the input. */
  async function outcome(caller: Installation["stranger"], path: string, input: unknown): Promise<string> {
    const procedure = path.split(".").reduce<unknown>((at, name) => Reflect.get(Object(at), name), caller);
    if (typeof procedure !== "function") throw new Error(`${path} is not callable`);
    try {
      await procedure(input);
      return "OK";
    } catch (error) {
      if (!(error instanceof TRPCError)) throw error;
      if (error.code === "INTERNAL_SERVER_ERROR") throw error;
      return error.code === "NOT_FOUND" || error.code === "CONFLICT" ? "OK" : error.code;
    }
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
    for (const authTime of [null, NOON - FRESH_SECONDS])
      expect(await outcome(it.as("admin", [scope], { authTime }), path, sound)).toBe(fresh ? "UNAUTHORIZED" : "OK");
    if (malformed !== undefined) expect(await outcome(it.as("admin"), path, malformed)).toBe("BAD_REQUEST");
  });
});
