import {
  authorize,
  decideConsent,
  decideDeviceRequest,
  findDeviceRequest,
  introspect,
  openConsent,
  pushedAuthorizationRequest,
  type Role,
  storageHash,
  token,
  type Usage,
  userinfo,
} from "@gatehouse/auth";
import { findTestRun } from "@gatehouse/db/stores/auth/test-runs";
import { engines } from "@gatehouse/db/testing/engines";
import { SHOWN } from "@gatehouse/db/testing/people";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { getFirstUse } from "../clients/first-use.ts";
import { registerClient } from "../clients/register.ts";
import { listFailures } from "../failures/groups.ts";
import { getRefusal } from "../failures/refusals.ts";
import { getClientImpact } from "../impact/impact.ts";
import {
  ADMIN,
  type Installation,
  ISSUER,
  NOON,
  openInstallation,
  seedApplication,
  webClient,
} from "../testing/installation.ts";
import { allow, CALLER, operator, sessionFor } from "../testing/try-runs.ts";
import { runExemption } from "./exemption.ts";
import { checkTry } from "./negative-checks.ts";
import { endRun } from "./run.ts";
import { openRunTicket } from "./run-ticket.ts";
import { startTry } from "./start.ts";
import { stepTry } from "./steps.ts";

const CALLBACK = "https://console.example/try/callback";

describe.each(engines)("test runs on $name", (engine) => {
  let it: Installation;
  let clientId: string;
  let secret: string;
  let applicationId: string;
  let counted: string[];

  beforeEach(async () => {
    it = await openInstallation(engine);
    counted = [];
    const count = (what: string) => () => void counted.push(what);
    it.deps.usage = Object.fromEntries(
      ["tokenIssued", "signedIn", "signInEnded", "secretUsed", "refused"].map((name) => [name, count(name)]),
    ) as unknown as Usage;
    const webScopes = { scopes: ["openid", "offline_access", "api:read"] };
    ({ applicationId } = await seedApplication(it.deps));
    const registered = await registerClient(
      { ...webClient({ ...webScopes, environment: "staging" }), applicationId },
      ADMIN,
      it.deps,
    );
    clientId = registered.client.clientId;
    secret = registered.secret ?? "";
  });
  afterEach(() => it.close());

  const by = (role: Role = "developer", freshSince: number | null = it.clock.now) => operator(role, freshSince);
  const start = (change: object = {}, author = by()) =>
    startTry(
      { clientId, kind: "code", reveal: true, scope: "openid offline_access api:read", ...change },
      author,
      it.deps,
    );
  const linkOf = ({ next }: { next: { kind: string; url?: string } }) => {
    if (next.url === undefined) throw new Error(`nothing to open: ${next.kind}`);
    return next.url;
  };
  const post = async (
    endpoint: typeof token,
    form: Record<string, string>,
    deps = it.deps,
    basic?: [string, string],
  ) => {
    const headers = new Headers({ "content-type": "application/x-www-form-urlencoded" });
    if (basic) headers.set("authorization", `Basic ${Buffer.from(basic.join(":")).toString("base64")}`);
    const request = new Request(`${ISSUER}/endpoint`, {
      method: "POST",
      headers,
      body: new URLSearchParams(form).toString(),
    });
    const response = await endpoint(request, deps, CALLER);
    return { status: response.status, json: JSON.parse(await response.text()) as Record<string, unknown> };
  };
  const introspected = async (accessToken: string) =>
    (await post(introspect, { token: accessToken }, it.deps, [clientId, secret])).json["active"];
  const causes = async () => {
    const { db } = it.deps;
    const { tables } = db;
    return (await db.select().from(tables.refusals)).map(({ cause }) => cause);
  };
  const held = (ticket: string) => {
    const opened = openRunTicket(ticket, it.deps);
    if (!opened) throw new Error("not a ticket");
    return opened;
  };
  /** A run whose code was exchanged. */
  async function exchanged(change: object = {}) {
    const started = await start(change);
    const callback = await allow(linkOf(started), await sessionFor("developer", it.deps), it.deps);
    const result = await stepTry({ ticket: started.ticket, step: { kind: "exchange", callback } }, by(), it.deps);
    return { ...result, callback, first: started, tokens: held(result.ticket) };
  }

  test("CO-38 code + PKCE: the run returns to the console, gets tokens without a secret, and refreshes", async () => {
    const { callback, traces, can, ticket, tokens } = await exchanged();
    expect(callback.to).toBe(CALLBACK);
    expect(traces.map(({ title, outcome }) => [title, outcome])).toEqual([
      ["Sign in and allow", "as_expected"],
      ["Exchange the code", "as_expected"],
      ["Introspect the token", "as_expected"],
      ["Ask who the user is", "as_expected"],
    ]);
    expect(can).toEqual({ refresh: true, check: true });
    const refreshed = await stepTry({ ticket, step: { kind: "refresh" } }, by(), it.deps);
    expect(refreshed.traces[0]).toMatchObject({ title: "Refresh", outcome: "as_expected" });
    expect(held(refreshed.ticket).refreshToken).not.toBe(tokens.refreshToken);
  });

  test("CO-39 consent is always asked, says that it is a test run, and is not remembered", async () => {
    const session = await sessionFor("developer", it.deps);
    await it.deps.store.saveConsent({
      userId: "developer",
      clientId,
      scope: "openid offline_access api:read",
      ...SHOWN,
      now: NOON,
    });
    const asked = await authorize(new URL(linkOf(await start())).searchParams, session, it.deps, CALLER);
    if (asked.kind !== "consent") throw new Error(asked.kind);
    const view = await openConsent(asked.request, session, it.deps);
    expect(view).toMatchObject({ testRun: true, redirectHost: "console.example" });
    expect(view?.scopes.every(({ isNew }) => isNew)).toBe(true);
    await it.deps.store.revokeConnectedApp("developer", clientId, NOON);
    await decideConsent(asked.request, "allow", session, it.deps, CALLER);
    expect(await it.deps.store.findConsent("developer", clientId)).toBeUndefined();
  });

  test("CO-38 another client cannot use the console's callback, and nobody can without a run", async () => {
    const params = {
      client_id: clientId,
      redirect_uri: CALLBACK,
      response_type: "code",
      code_challenge: "a".repeat(43),
    };
    const plain = await authorize(
      new URLSearchParams({ ...params, code_challenge_method: "S256" }),
      undefined,
      it.deps,
      CALLER,
    );
    expect(plain).toMatchObject({ kind: "refuse", error: { refusalCause: "redirect_uri_unregistered" } });
    const pushed = await post(pushedAuthorizationRequest, { ...params, code_challenge_method: "S256" }, it.deps, [
      clientId,
      secret,
    ]);
    expect(pushed.status).toBe(400);
    const { client: other } = await registerClient(
      { ...webClient({ environment: "production", redirectUris: ["https://a.example/cb"] }), applicationId },
      ADMIN,
      it.deps,
    );
    const link = new URL(linkOf(await start()));
    link.searchParams.set("client_id", other.clientId);
    expect(await authorize(link.searchParams, undefined, it.deps, CALLER)).toMatchObject({
      kind: "refuse",
      error: { refusalCause: "pushed_request_of_other_client" },
    });
  });

  test("CO-38 a run's request is decided once, and not after its end or its time", async () => {
    const session = await sessionFor("developer", it.deps);
    const first = await start();
    await allow(linkOf(first), session, it.deps);
    const replay = await authorize(new URL(linkOf(first)).searchParams, session, it.deps, CALLER);
    expect(replay).toMatchObject({ kind: "refuse", error: { refusalCause: "pushed_request_used" } });

    const ended = await start();
    await endRun(ended, by(), it.deps);
    expect(await authorize(new URL(linkOf(ended)).searchParams, session, it.deps, CALLER)).toMatchObject({
      kind: "refuse",
      error: { refusalCause: "test_run_ended" },
    });

    const late = await start();
    const asked = await authorize(new URL(linkOf(late)).searchParams, session, it.deps, CALLER);
    it.clock.now += 600;
    if (asked.kind !== "consent") throw new Error(asked.kind);
    expect(await openConsent(asked.request, session, it.deps)).toBeUndefined();
    expect(await decideConsent(asked.request, "allow", session, it.deps, CALLER)).toMatchObject({
      kind: "refuse",
      error: { refusalCause: "test_run_ended" },
    });
  });

  test("CO-39 only the operator can sign in: anybody else sees an error on our own page", async () => {
    const started = await start();
    const asked = await authorize(
      new URL(linkOf(started)).searchParams,
      await sessionFor("user", it.deps),
      it.deps,
      CALLER,
    );
    expect(asked).toMatchObject({ kind: "refuse", error: { refusalCause: "test_run_of_other_user" } });
  });

  test("CO-39 only the operator can use the ticket", async () => {
    const { ticket } = await exchanged();
    await expect(stepTry({ ticket, step: { kind: "refresh" } }, by("admin"), it.deps)).rejects.toMatchObject({
      kind: "not_found",
    });
    await expect(checkTry({ ticket }, by("admin"), it.deps)).rejects.toMatchObject({ kind: "not_found" });
    await expect(endRun({ ticket }, by("admin"), it.deps)).rejects.toMatchObject({ kind: "not_found" });
    await expect(stepTry({ ticket: "forged", step: { kind: "refresh" } }, by(), it.deps)).rejects.toMatchObject({
      kind: "not_found",
    });
  });

  test("CO-39 viewers cannot start a run, developers not in production, and admins there only after a fresh sign-in", async () => {
    const draft = webClient({ environment: "production", redirectUris: ["https://a.example/cb"] });
    const { client } = await registerClient({ ...draft, applicationId }, ADMIN, it.deps);
    const production = { clientId: client.clientId, scope: undefined, reveal: false };
    await expect(start({}, by("viewer"))).rejects.toMatchObject({ kind: "forbidden" });
    await expect(start(production)).rejects.toMatchObject({ kind: "forbidden" });
    await expect(start(production, by("admin", it.clock.now - 600))).rejects.toMatchObject({ kind: "stale_sign_in" });
    await expect(start({ ...production, reveal: true }, by("admin"))).rejects.toMatchObject({ kind: "forbidden" });
    expect(await start(production, by("admin"))).toMatchObject({ next: { kind: "sign_in" } });
  });

  test("CO-39 neither the console's own client nor one that registered itself can be tried", async () => {
    const settings = {
      redirectUris: ["https://x.example/cb"],
      postLogoutRedirectUris: [],
      scopes: [],
      options: {},
      secret: null,
    };
    const stranger = {
      clientId: "stranger",
      applicationId: "stranger",
      applicationName: "Stranger",
      type: "web",
    } as const;
    const dynamic = { ...settings, ...stranger, grantTypes: ["authorization_code"] as const };
    await it.deps.store.addDynamicClient(
      { ...dynamic, grantTypes: [...dynamic.grantTypes], registrationTokenHash: null as never },
      NOON,
    );
    await expect(start({ clientId: "stranger" }, by("admin"))).rejects.toMatchObject({ kind: "conflict" });
    await expect(start({ clientId: "gatehouse-console" }, by("admin"))).rejects.toThrow();
  });

  test("CO-40 over HTTP there is no ticket: a run's code and refresh token are worth nothing there, even with the client's secret", async () => {
    const started = await start();
    const callback = await allow(linkOf(started), await sessionFor("developer", it.deps), it.deps);
    const { verifier = "" } = held(started.ticket);
    const form = {
      grant_type: "authorization_code",
      code: callback.code ?? "",
      code_verifier: verifier,
      redirect_uri: CALLBACK,
    };
    const none = await post(token, {
      ...form,
      client_id: clientId,
      ticket: started.ticket,
      test_run: held(started.ticket).runId,
    });
    expect(none.json["error"]).toBe("invalid_client");
    expect((await post(token, form, it.deps, [clientId, secret])).json["error"]).toBe("invalid_grant");
    expect(await causes()).toContain("test_run_differs");

    const { tokens } = await exchanged();
    const refresh = { grant_type: "refresh_token", refresh_token: tokens.refreshToken ?? "" };
    expect((await post(token, refresh, it.deps, [clientId, secret])).json["error"]).toBe("invalid_grant");
  });

  test("CO-40 the ticket of a run redeems and introspects nothing but what the run issued", async () => {
    const { tokens } = await exchanged();
    const earlier = await findTestRun(it.deps.db, tokens.runId);
    if (!earlier) throw new Error("no run");
    const second = await exchanged();
    const withTicket = { ...it.deps, exemption: runExemption(earlier, CALLBACK) };
    const others = held(second.ticket);
    const refresh = { grant_type: "refresh_token", client_id: clientId, refresh_token: others.refreshToken ?? "" };
    expect((await post(token, refresh, withTicket)).json["error"]).toBe("invalid_grant");
    const asked = await post(introspect, { client_id: clientId, token: others.accessToken ?? "" }, withTicket);
    expect(asked.json).toEqual({ active: false });
    expect(
      (await post(token, { grant_type: "refresh_token", client_id: "other", refresh_token: "x" }, withTicket)).json[
        "error"
      ],
    ).toBe("invalid_client");
  });

  test("CO-40 a pasted secret is checked, is in no trace, and counts as no use; a wrong one is refused with its ledger entry", async () => {
    const started = await start({ secret });
    expect(started.traces[0]?.outcome).toBe("as_expected");
    expect(JSON.stringify(started)).not.toContain(secret);
    expect(JSON.stringify(started)).not.toContain(Buffer.from(`${clientId}:${secret}`).toString("base64"));
    expect(openRunTicket(started.ticket, it.deps)).not.toHaveProperty("secret");
    const wrong = await start({ secret: "gcs_guess" });
    expect(wrong).toMatchObject({
      next: { kind: "none" },
      traces: [{ outcome: "unexpected", failure: { cause: "secret_wrong" } }],
    });
    const { db } = it.deps;
    const { tables } = db;
    expect((await db.select().from(tables.clientSecrets)).every(({ lastUsedAt }) => lastUsedAt === null)).toBe(true);
  });

  test("CO-41 codes, tokens and verifiers show four characters unless the operator asked to see them", async () => {
    const { traces, ticket, callback, first } = await exchanged({ reveal: false });
    const shown = JSON.stringify([first.traces, traces]);
    const { accessToken = "?", refreshToken = "?", verifier = "?" } = held(ticket);
    for (const value of [accessToken, refreshToken, verifier, callback.code ?? "?"]) {
      expect(shown).not.toContain(value);
      expect(shown).toContain(`…${value.slice(-4)}`);
    }
    expect(traces[1]?.curl).toContain('--data-urlencode "code=$CODE"');
    expect(traces[1]?.tokens.map(({ name }) => name)).toEqual(["ID token"]);
    const revealed = await exchanged();
    expect(JSON.stringify(revealed.traces)).toContain(held(revealed.ticket).accessToken);
  });

  test("CO-42 tokens live five minutes at most, the refresh token no longer than the run, and all die with it", async () => {
    const { tokens, traces } = await exchanged();
    const [, , introspection] = traces;
    expect(JSON.parse(introspection?.response.body ?? "")).toMatchObject({ active: true, exp: NOON + 300 });
    expect(traces[1]?.tokens[0]?.claims["exp"]).toBe(NOON + 300);
    expect(await introspected(tokens.accessToken ?? "")).toBe(true);
    await endRun(await start(), by(), it.deps); // another run of the client by the same operator ends the first
    expect(await introspected(tokens.accessToken ?? "")).toBe(false);

    const second = await exchanged();
    it.clock.now += 300;
    expect(await introspected(second.tokens.accessToken ?? "")).toBe(false);
    const refreshed = await stepTry({ ticket: second.ticket, step: { kind: "refresh" } }, by(), it.deps);
    expect(refreshed.can.refresh).toBe(true);
    it.clock.now += 300;
    await expect(stepTry({ ticket: refreshed.ticket, step: { kind: "refresh" } }, by(), it.deps)).rejects.toMatchObject(
      {
        kind: "conflict",
      },
    );
  });

  test("CO-42 the end of a run kills what it issued at once", async () => {
    const { ticket, tokens } = await exchanged();
    expect(await introspected(tokens.accessToken ?? "")).toBe(true);
    await endRun({ ticket }, by(), it.deps);
    expect(await introspected(tokens.accessToken ?? "")).toBe(false);
    await expect(stepTry({ ticket, step: { kind: "refresh" } }, by(), it.deps)).rejects.toMatchObject({
      kind: "conflict",
    });
  });

  test("CO-42 the negative checks are refused, and the replay kills the run's tokens", async () => {
    const { ticket, tokens } = await exchanged();
    const { traces } = await checkTry({ ticket }, by(), it.deps);
    expect(traces.map(({ outcome, failure }) => [outcome, failure?.cause])).toEqual([
      ["as_expected", "test_run_redirect_differs"],
      ["as_expected", "verifier_wrong"],
      ["as_expected", "code_replayed"],
      ["as_expected", undefined],
    ]);
    expect(await introspected(tokens.accessToken ?? "")).toBe(false);
    const { db } = it.deps;
    const { tables } = db;
    const actions = (await db.select().from(tables.audit))
      .map(({ action }) => action)
      .filter((action) => action.startsWith("test_run"));
    expect(actions.sort()).toEqual(["test_run.end", "test_run.start"]);
  });

  test("CO-42 CO-16 refusals of a run are in no group and no first use, but are found by their error id; its grant is no user's", async () => {
    const { ticket } = await exchanged();
    expect(await getClientImpact(clientId, { kind: "disable" }, it.deps)).toMatchObject({
      users: { count: 0 },
      grants: { count: 0 },
    });
    const { traces } = await checkTry({ ticket }, by(), it.deps);
    const failures = traces.flatMap(({ failure }) => failure ?? []);
    expect(failures).toHaveLength(3);
    for (const { errorId, cause } of failures)
      expect(await getRefusal(errorId, by(), it.deps)).toMatchObject({ cause, group: null, client: { clientId } });
    expect((await listFailures({ limit: 25 }, it.deps)).items).toEqual([]);
    expect(await getFirstUse(clientId, it.deps)).toEqual({ tokenAt: null, refusal: null });

    const denied = await start();
    const session = await sessionFor("developer", it.deps);
    const asked = await authorize(new URL(linkOf(denied)).searchParams, session, it.deps, CALLER);
    if (asked.kind !== "consent") throw new Error(asked.kind);
    expect(await decideConsent(asked.request, "deny", session, it.deps, CALLER)).toMatchObject({ kind: "redirect" });
    expect((await listFailures({ limit: 25 }, it.deps)).items).toEqual([]);
    await post(token, { grant_type: "authorization_code", code: "gac_guess", code_verifier: "v" }, it.deps, [
      clientId,
      "wrong",
    ]);
    expect((await listFailures({ limit: 25 }, it.deps)).items).toMatchObject([{ cause: "secret_wrong", count: 1 }]);
    expect((await getFirstUse(clientId, it.deps)).refusal).toMatchObject({ cause: "secret_wrong" });
  });

  test("CO-42 a run counts nowhere and appears in no list of connected apps", async () => {
    const { ticket } = await exchanged();
    expect(await it.deps.store.listConnectedApps("developer", it.clock.now)).toEqual([]);
    await checkTry({ ticket }, by(), it.deps);
    expect(counted).toEqual([]);
  });

  test.each([false, true])(
    "CO-38 a client that requires DPoP is tried with a key of the run, with a nonce: %s",
    async (dpopNonce) => {
      const draft = webClient({ environment: "staging", scopes: ["openid", "offline_access", "api:read"] });
      const options = { dpopBound: true, dpopNonce };
      const { client } = await registerClient({ ...draft, options, applicationId, name: "Bound" }, ADMIN, it.deps);
      const started = await start({ clientId: client.clientId });
      const callback = await allow(linkOf(started), await sessionFor("developer", it.deps), it.deps);
      const { traces, ticket } = await stepTry(
        { ticket: started.ticket, step: { kind: "exchange", callback } },
        by(),
        it.deps,
      );
      expect(traces.map(({ outcome }) => outcome)).toEqual(traces.map(() => "as_expected"));
      expect(traces).toHaveLength(4);
      expect(JSON.parse(traces[1]?.response.body ?? "")).toMatchObject({ token_type: "DPoP" });
      expect(traces[1]?.curl).toContain('-H "DPoP: $DPOP_PROOF"');
      const { accessToken = "", proofKey } = held(ticket);
      expect(JSON.stringify(traces)).not.toContain(proofKey?.d ?? "no key");
      const refreshed = await stepTry({ ticket, step: { kind: "refresh" } }, by(), it.deps);
      expect(refreshed.traces.map(({ outcome }) => outcome)).toEqual(["as_expected", "as_expected", "as_expected"]);
      const stolen = new Request(`${ISSUER}/userinfo`, { headers: { authorization: `Bearer ${accessToken}` } });
      expect((await userinfo(stolen, it.deps, CALLER)).status).toBe(401);
      const checks = await checkTry({ ticket: refreshed.ticket }, by(), it.deps);
      expect(checks.traces.map(({ outcome, failure }) => [outcome, failure?.cause])).toEqual([
        ["as_expected", "test_run_redirect_differs"],
        ["as_expected", "verifier_wrong"],
        ["as_expected", "code_replayed"],
        ["as_expected", undefined],
      ]);
    },
  );

  test("CO-38 a device: only the operator can confirm, and the tokens die with the run", async () => {
    const device = { type: "device", redirectUris: [], scopes: ["api:read", "offline_access"] } as const;
    const grantTypes = ["urn:ietf:params:oauth:grant-type:device_code", "refresh_token"] as const;
    const draft = webClient({ ...device, redirectUris: [], scopes: [...device.scopes], grantTypes: [...grantTypes] });
    const { client } = await registerClient({ ...draft, applicationId, name: "TV" }, ADMIN, it.deps);
    const started = await start({ clientId: client.clientId, kind: "device", scope: undefined });
    if (started.next.kind !== "device") throw new Error(started.next.kind);
    const { userCode } = started.next;
    const allowAs = async (role: Role) => {
      const session = await sessionFor(role, it.deps);
      const { shown = "", testRun } = (await findDeviceRequest(userCode, session, it.deps)) ?? {};
      return { testRun, ...(await decideDeviceRequest({ userCode, shown }, "allow", session, it.deps)) };
    };
    const pending = await stepTry({ ticket: started.ticket, step: { kind: "poll" } }, by(), it.deps);
    expect(pending).toMatchObject({ next: { kind: "wait" }, traces: [{ outcome: "as_expected" }] });
    expect(await allowAs("user")).toEqual({ testRun: true, kind: "gone" });
    expect(await allowAs("developer")).toEqual({ testRun: true, kind: "approved" });
    it.clock.now += 5;
    const got = await stepTry({ ticket: started.ticket, step: { kind: "poll" } }, by(), it.deps);
    const { accessToken = "", deviceCode = "" } = held(got.ticket);
    expect(accessToken).not.toBe("");
    expect(await it.deps.store.findConsent("developer", client.clientId)).toBeUndefined();
    expect(counted).toEqual([]);
    const outside = { grant_type: grantTypes[0], client_id: client.clientId, device_code: deviceCode };
    expect((await post(token, outside)).json["error"]).toBe("invalid_grant");
    await endRun({ ticket: got.ticket }, by(), it.deps);
    const found = await it.deps.store.findAccessToken(storageHash(accessToken));
    expect(found?.grantRevokedAt).not.toBeNull();
  });

  test("CO-38 a service: its token belongs to no user, and still dies with the run", async () => {
    const draft = webClient({
      type: "service",
      redirectUris: [],
      grantTypes: ["client_credentials"],
      scopes: ["api:read"],
    });
    const { client, secret: own } = await registerClient({ ...draft, applicationId, name: "Nightly" }, ADMIN, it.deps);
    const started = await start({ clientId: client.clientId, kind: "service", scope: undefined });
    expect(started.traces.map(({ outcome }) => outcome)).toEqual(["as_expected", "as_expected"]);
    const { accessToken = "" } = held(started.ticket);
    const active = async () =>
      (await post(introspect, { token: accessToken }, it.deps, [client.clientId, own ?? ""])).json;
    expect(await active()).toMatchObject({ active: true, sub: `client:${client.clientId}`, exp: NOON + 300 });
    await endRun(started, by(), it.deps);
    expect(await active()).toEqual({ active: false });
  });
});
