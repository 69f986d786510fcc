import {
  authorize,
  decideConsent,
  introspect,
  openConsent,
  pushedAuthorizationRequest,
  type RequestPolicy,
  token,
} from "@gatehouse/auth";
import { CHALLENGE, VERIFIER } from "@gatehouse/auth/testing";
import { sweep } from "@gatehouse/db/sweep/sweep";
import { engines } from "@gatehouse/db/testing/engines";
import { SHOWN } from "@gatehouse/db/testing/people";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { comparePromotion } from "../clients/promotion.ts";
import { testRedirectUri } from "../clients/redirect-uris.ts";
import { registerClient } from "../clients/register.ts";
import { createRequestPolicy } from "../request-policy.ts";
import {
  ADMIN,
  type Installation,
  ISSUER,
  NOON,
  openInstallation,
  seedApplication,
  webClient,
} from "../testing/installation.ts";
import { CALLER, operator, sessionFor } from "../testing/try-runs.ts";
import { changePreviewFrame, listPreviews } from "./frame.ts";
import { endSlot, putNumberedSlots, putPreviewSlot } from "./preview-slots.ts";

const FRAME = { hostPrefix: "", hostSuffix: ".preview.example.com", path: "/cb" };
const PREVIEW = "https://pr-1.preview.example.com/cb";
const DAY = 86_400;

describe.each(engines)("preview slots on $name", (engine) => {
  let it: Installation;
  let clientId: string;
  let secret: string;
  let applicationId: string;

  beforeEach(async () => {
    it = await openInstallation(engine);
    ({ applicationId } = await seedApplication(it.deps));
    const draft = webClient({
      environment: "staging",
      redirectUris: ["https://shop.example/cb"],
      scopes: ["openid", "offline_access", "api:read"],
    });
    const registered = await registerClient({ ...draft, applicationId }, ADMIN, it.deps);
    [clientId, secret] = [registered.client.clientId, registered.secret ?? ""];
  });
  afterEach(() => it.close());

  const developer = operator("developer", NOON);
  const setFrame = async (frame: typeof FRAME | null = FRAME, author = operator("admin", NOON)) =>
    changePreviewFrame({ clientId, frame, version: (await listPreviews(clientId, it.deps)).version }, author, it.deps);
  const put = (change: Partial<Parameters<typeof putPreviewSlot>[0]> = {}) =>
    putPreviewSlot({ clientId, key: "pr-1", redirectUri: PREVIEW, ...change }, developer, it.deps);
  const end = (key = "pr-1") => endSlot({ clientId, key }, developer, it.deps);
  const asked = (redirect_uri = PREVIEW, more: Record<string, string> = {}) =>
    new URLSearchParams({
      client_id: clientId,
      redirect_uri,
      response_type: "code",
      scope: "offline_access api:read",
      state: "s",
      code_challenge: CHALLENGE,
      code_challenge_method: "S256",
      ...more,
    });
  const post = async (endpoint: typeof token, form: Record<string, string>) => {
    const basic = `Basic ${Buffer.from(`${clientId}:${secret}`).toString("base64")}`;
    const headers = { "content-type": "application/x-www-form-urlencoded", authorization: basic };
    const request = new Request(`${ISSUER}/endpoint`, {
      method: "POST",
      headers,
      body: new URLSearchParams(form).toString(),
    });
    const response = await endpoint(request, it.deps, CALLER);
    return { status: response.status, json: JSON.parse(await response.text()) as Record<string, string> };
  };
  const causes = async () => {
    const { db } = it.deps;
    const { tables } = db;
    return (await db.select().from(tables.refusals)).map(({ cause }) => cause);
  };
  const consentFor = async (redirectUri = PREVIEW) => {
    const session = await sessionFor("viewer", it.deps);
    const result = await authorize(asked(redirectUri), session, it.deps, CALLER);
    if (result.kind !== "consent") throw new Error(`expected consent, got ${JSON.stringify(result)}`);
    return { session, request: result.request };
  };
  async function codeFor(redirectUri = PREVIEW) {
    const { session, request } = await consentFor(redirectUri);
    const allowed = await decideConsent(request, "allow", session, it.deps, CALLER);
    if (allowed.kind !== "redirect") throw new Error(allowed.kind);
    return new URL(allowed.to).searchParams.get("code") ?? "";
  }
  const redeem = (code: string) => post(token, { grant_type: "authorization_code", code, code_verifier: VERIFIER });
  const refresh = (refresh_token: string) => post(token, { grant_type: "refresh_token", refresh_token });
  const isActive = async (accessToken: string) => (await post(introspect, { token: accessToken })).json["active"];

  test("CO-28 a slot is one more exact redirect URI, also for a pushed request", async () => {
    await setFrame();
    await put();
    const code = await codeFor();
    expect((await redeem(code)).status).toBe(200);
    expect((await post(pushedAuthorizationRequest, Object.fromEntries(asked()))).status).toBe(201);
    for (const other of [`${PREVIEW}/`, PREVIEW.replace("pr-1", "pr-2"), PREVIEW.replace("https", "http")]) {
      expect(await authorize(asked(other), undefined, it.deps, CALLER)).toMatchObject({
        kind: "refuse",
        error: { refusalCause: "redirect_uri_unregistered" },
      });
    }
  });

  test("CO-30 consent is always asked and not remembered, and prompt=none cannot skip it", async () => {
    await setFrame();
    await put();
    await it.deps.store.saveConsent({
      userId: "viewer",
      clientId,
      scope: "offline_access api:read",
      ...SHOWN,
      now: NOON,
    });
    const { session, request } = await consentFor();
    const view = await openConsent(request, session, it.deps);
    expect(view).toMatchObject({ redirectHost: "pr-1.preview.example.com" });
    expect(view?.scopes.every(({ isNew }) => isNew)).toBe(true);
    await it.deps.store.revokeConnectedApp("viewer", clientId, NOON);
    await decideConsent(request, "allow", session, it.deps, CALLER);
    expect(await it.deps.store.findConsent("viewer", clientId)).toBeUndefined();
    const silent = await authorize(asked(PREVIEW, { prompt: "none" }), session, it.deps, CALLER);
    expect(silent.kind === "redirect" && new URL(silent.to).searchParams.get("error")).toBe("consent_required");
  });

  test("CO-30 ending a slot ends its codes and tokens at once, and the ledger says why", async () => {
    await setFrame();
    await put();
    const [first, second] = [await codeFor(), await codeFor()];
    const tokens = (await redeem(first)).json;
    const kept = (await redeem(await codeForRegistered())).json;
    expect(await isActive(tokens["access_token"] ?? "")).toBe(true);

    expect(await end()).toEqual({ ended: true });
    expect(await end()).toEqual({ ended: false });
    expect(await isActive(tokens["access_token"] ?? "")).toBe(false);
    expect(await isActive(tokens["refresh_token"] ?? "")).toBe(false);
    expect(await refresh(tokens["refresh_token"] ?? "")).toMatchObject({
      status: 400,
      json: { error: "invalid_grant" },
    });
    expect(await redeem(second)).toMatchObject({ status: 400, json: { error: "invalid_grant" } });
    const refused = await authorize(asked(), undefined, it.deps, CALLER);
    expect(refused).toMatchObject({ kind: "refuse", error: { status: 400, refusalCause: "preview_slot_ended" } });
    expect(await causes()).toEqual(["preview_slot_ended", "preview_slot_ended", "preview_slot_ended"]);
    expect(await isActive(kept["access_token"] ?? "")).toBe(true);
  });

  async function codeForRegistered() {
    return codeFor("https://shop.example/cb");
  }

  test("CO-30 a consent page that is open when the slot ends gives no code", async () => {
    await setFrame();
    await put();
    const { session, request } = await consentFor();
    await end();
    expect(await openConsent(request, session, it.deps)).toBeUndefined();
    expect(await decideConsent(request, "allow", session, it.deps, CALLER)).toMatchObject({
      kind: "refuse",
      error: { refusalCause: "preview_slot_ended" },
    });
  });

  test("CO-29 no token outlives the slot; a put renews it, and then it can be refreshed again", async () => {
    await setFrame();
    await put({ endsInSeconds: 120 });
    const issued = (await redeem(await codeFor())).json;
    expect(issued["expires_in"]).toBe(120);
    it.clock.now += 100;
    const renewed = await put({ endsInSeconds: 300 });
    expect(renewed).toMatchObject({ endsAt: NOON + 400, createdAt: NOON, renewedAt: NOON + 100 });
    expect((await put({ endsInSeconds: 60 })).endsAt).toBe(NOON + 400);
    it.clock.now += 10;
    const refreshed = (await refresh(issued["refresh_token"] ?? "")).json;
    expect(refreshed["expires_in"]).toBe(290);
    it.clock.now = NOON + 400;
    expect(await isActive(refreshed["access_token"] ?? "")).toBe(false);
    expect((await refresh(refreshed["refresh_token"] ?? "")).status).toBe(400);
    expect(await causes()).toEqual(["preview_slot_ended"]);
    expect((await authorize(asked(), undefined, it.deps, CALLER)).kind).toBe("refuse");
    await put();
    expect((await refresh(refreshed["refresh_token"] ?? "")).status).toBe(400);
  });

  test("CO-29 put is idempotent by key; another URI ends the tokens of the old one", async () => {
    await setFrame();
    const first = await put();
    expect(await put()).toEqual(first);
    const issued = (await redeem(await codeFor())).json;
    const moved = await put({ redirectUri: "https://pr-1b.preview.example.com/cb" });
    expect(moved.id).not.toBe(first.id);
    expect(await isActive(issued["access_token"] ?? "")).toBe(false);
    expect(await authorize(asked(), undefined, it.deps, CALLER)).toMatchObject({
      error: { refusalCause: "preview_slot_ended" },
    });
    const listed = await listPreviews(clientId, it.deps);
    expect(listed.live.map(({ id }) => id)).toEqual([moved.id]);
    expect(listed.ended.map(({ id }) => id)).toEqual([first.id]);
  });

  test("CO-29 a put outside the frame names the difference, and there is none without a frame", async () => {
    await expect(put()).rejects.toMatchObject({
      kind: "conflict",
      message: expect.stringContaining("an admin has to set"),
    });
    await setFrame();
    await expect(put({ redirectUri: "https://pr-1.preview.example.com/callback" })).rejects.toMatchObject({
      problems: [{ path: "redirectUri", message: "must have the path /cb, and this one has /callback" }],
    });
    await expect(put({ endsInSeconds: 15 * DAY })).rejects.toMatchObject({ problems: [{ path: "endsInSeconds" }] });
    await put();
    await expect(put({ key: "other" })).rejects.toMatchObject({
      problems: [{ path: "redirectUri", message: "the slot pr-1 has this URI" }],
    });
  });

  test("CO-29 a client has at most 50 live slots; ended ones make room", async () => {
    await setFrame();
    const uri = (n: number) => `https://x${n}.preview.example.com/cb`;
    for (let n = 0; n < 50; n++) await put({ key: `k${n}`, redirectUri: uri(n) });
    await expect(put({ key: "k50", redirectUri: uri(50) })).rejects.toMatchObject({ kind: "conflict" });
    await put({ key: "k7", redirectUri: uri(51) });
    await end("k0");
    await put({ key: "k50", redirectUri: uri(50) });
    await expect(putNumberedSlots(clientId, developer, it.deps)).rejects.toMatchObject({ kind: "conflict" });
  });

  test("CO-29 of concurrent puts of a key one slot is live, and of too many only fifty", async () => {
    await setFrame();
    await Promise.all(Array.from({ length: 5 }, () => put()));
    expect((await listPreviews(clientId, it.deps)).live).toHaveLength(1);
    const uri = (n: number) => `https://x${n}.preview.example.com/cb`;
    const puts = Array.from({ length: 60 }, (_, n) => put({ key: `k${n}`, redirectUri: uri(n) }));
    const refused = (await Promise.allSettled(puts)).filter(({ status }) => status === "rejected");
    expect(refused).toHaveLength(11);
    const { db } = it.deps;
    const { tables } = db;
    const rows = await db.select().from(tables.previewSlots);
    expect(rows.filter(({ endsAt }) => endsAt > NOON)).toHaveLength(50);
  });

  test("CO-29 ended slots are deleted after 30 days, and what was issued through them stays dead", async () => {
    await setFrame();
    await put({ endsInSeconds: 60 });
    const issued = (await redeem(await codeFor())).json;
    it.clock.now += 60 + 30 * DAY;
    await sweep(it.deps.db, it.clock.now);
    expect((await listPreviews(clientId, it.deps)).ended).toEqual([]);
    expect((await refresh(issued["refresh_token"] ?? "")).status).toBe(400);
  });

  test("CO-29 on a public suffix a slot ends within three days", async () => {
    const view = await setFrame({ hostPrefix: "shop-git-", hostSuffix: "-team.vercel.app", path: "/cb" });
    expect(view.frame).toMatchObject({ sharedSuffix: "vercel.app", mostSeconds: 3 * DAY });
    const slot = { redirectUri: "https://shop-git-pr-1-team.vercel.app/cb" };
    await expect(put({ ...slot, endsInSeconds: 4 * DAY })).rejects.toMatchObject({ kind: "invalid" });
    expect((await put(slot)).endsAt).toBe(NOON + 3 * DAY);
  });

  test("CO-29 only an admin sets the frame; a narrower one ends the slots outside of it, a removed one all", async () => {
    await expect(setFrame(FRAME, developer)).rejects.toMatchObject({ kind: "forbidden" });
    await setFrame();
    await put();
    await put({ key: "shop-1", redirectUri: "https://shop-1.preview.example.com/cb" });
    const issued = (await redeem(await codeFor())).json;
    const narrowed = await setFrame({ ...FRAME, hostPrefix: "shop-" });
    expect(narrowed.live.map(({ key }) => key)).toEqual(["shop-1"]);
    expect(await isActive(issued["access_token"] ?? "")).toBe(false);
    expect((await setFrame(null)).live).toEqual([]);
    await expect(
      changePreviewFrame({ clientId, frame: FRAME, version: 1 }, operator("admin", NOON), it.deps),
    ).rejects.toMatchObject({
      kind: "conflict",
      conflict: { by: "admin" },
    });
  });

  test("CO-30 the numbered slots have fixed hosts, and making them again renews them", async () => {
    await setFrame();
    await putNumberedSlots(clientId, developer, it.deps);
    it.clock.now += DAY;
    await putNumberedSlots(clientId, developer, it.deps);
    const { live, ended } = await listPreviews(clientId, it.deps);
    expect([live.length, ended.length]).toEqual([20, 0]);
    expect(live.map(({ redirectUri }) => redirectUri)).toContain("https://slot-20.preview.example.com/cb");
    expect(live.every(({ endsAt }) => endsAt === NOON + 15 * DAY)).toBe(true);
  });

  /** Dependencies with which something else happens between what an operation reads and its first write. */
  function interrupted(by: () => Promise<unknown>): Installation["deps"] {
    const { db } = it.deps;
    let waiting: (() => Promise<unknown>) | undefined = by;
    const guarded: typeof db.guarded = async (...writes) => {
      const other = waiting;
      waiting = undefined;
      await other?.();
      return db.guarded(...writes);
    };
    return { ...it.deps, db: { ...db, guarded } };
  }
  const liveSlots = async () => (await listPreviews(clientId, it.deps)).live;

  test.each(["put", "renewed"])(
    "CO-29 a slot that is %s while its frame is removed does not outlive it",
    async (how) => {
      await setFrame();
      if (how === "renewed") await put();
      const draft = { clientId, key: "pr-1", redirectUri: PREVIEW };
      await expect(
        putPreviewSlot(
          draft,
          developer,
          interrupted(() => setFrame(null)),
        ),
      ).rejects.toMatchObject({ kind: "conflict" });
      expect(await liveSlots()).toEqual([]);

      // The other way round.
      await setFrame();
      if (how === "renewed") await put();
      it.clock.now += DAY;
      const { version } = await listPreviews(clientId, it.deps);
      await changePreviewFrame({ clientId, frame: null, version }, operator("admin", it.clock.now), interrupted(put));
      expect(await liveSlots()).toEqual([]);
    },
  );

  test("CO-29 of slots and frames that race, none is live without its frame", async () => {
    for (let round = 0; round < 10; round++) {
      await setFrame();
      const puts = [0, 1, 2].map((at) =>
        put({ key: `k${at}`, redirectUri: PREVIEW.replace("pr-1", `k${at}`) }).catch(() => undefined),
      );
      await Promise.all([...puts, setFrame(null)]);
      expect(await liveSlots()).toEqual([]);
    }
  });

  test("CO-28 production, clients without redirect URIs and the console's client have no slots", async () => {
    const draft = webClient({ environment: "production", redirectUris: ["https://shop.example/cb"] });
    const { client } = await registerClient({ ...draft, applicationId }, ADMIN, it.deps);
    await expect(listPreviews(client.clientId, it.deps)).rejects.toMatchObject({ kind: "not_found" });
    await expect(
      changePreviewFrame({ clientId: client.clientId, frame: FRAME, version: 1 }, operator("admin", NOON), it.deps),
    ).rejects.toMatchObject({
      kind: "conflict",
    });
    await expect(put({ clientId: "nobody" })).rejects.toMatchObject({ kind: "not_found" });
  });

  test("CO-26 the box for testing a redirect URI knows the live slots", async () => {
    await setFrame();
    await put();
    const tested = (pasted: string) => testRedirectUri({ clientId, pasted }, it.deps);
    expect(await tested(PREVIEW)).toMatchObject({ previewSlot: "pr-1", comparison: { matched: PREVIEW } });
    expect(await tested(`${PREVIEW}/`)).toMatchObject({ previewSlot: null, comparison: { matched: null } });
    await end();
    expect(await tested(PREVIEW)).toMatchObject({ previewSlot: null, comparison: { matched: null } });
  });

  test("CO-30 promotion leaves slots and frame behind", async () => {
    await setFrame();
    await put();
    const promotion = await comparePromotion({ applicationId, from: "staging", to: "production" }, it.deps);
    expect(JSON.stringify(promotion)).not.toContain("preview");
  });

  test("CO-28 a client without a frame costs no lookup, and one with a frame none for a registered URI", async () => {
    const policy = createRequestPolicy(it.deps);
    let lookups = 0;
    const ofRedirectUri: RequestPolicy["ofRedirectUri"] = (...of) => {
      lookups += 1;
      return policy.ofRedirectUri(...of);
    };
    const counting = { ...it.deps, policy: { ...policy, ofRedirectUri } };
    await authorize(asked("https://unknown.example/cb"), undefined, counting, CALLER);
    await setFrame();
    await authorize(asked("https://shop.example/cb"), undefined, counting, CALLER);
    expect(lookups).toBe(0);
    await authorize(asked("https://unknown.example/cb"), undefined, counting, CALLER);
    expect(lookups).toBe(1);
  });
});
