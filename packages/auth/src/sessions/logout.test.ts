import { describe, expect, test } from "vitest";
import { passwordSignIn, type Scene, scene } from "../testing/scene.ts";
import { mintIdToken } from "../tokens/id-token.ts";
import { confirmLogout, requestLogout } from "./logout.ts";
import { endSessionById, startSession } from "./session.ts";

const CALLER = { address: "192.0.2.1" };
const RETURN = "https://app.example/bye?from=gatehouse";

function world(): Scene {
  const s = scene();
  s.changeClient("shop-web", { postLogoutRedirectUris: [RETURN] });
  return s;
}

const hintFor = (s: Scene, change: { clientId?: string; userId?: string; sessionId?: string } = {}) =>
  mintIdToken(
    {
      client: { ...s.clients.web, clientId: change.clientId ?? "shop-web" },
      userId: change.userId ?? s.user.id,
      context: { sessionId: change.sessionId ?? s.session.id },
      accessToken: "gat_x",
      scope: "openid",
      user: null,
    },
    s.deps,
  );

const ask = (s: Scene, params: Record<string, string> | [string, string][], active = true) =>
  requestLogout(new URLSearchParams(params), active ? s.active : undefined, s.deps, CALLER);
const ended = (s: Scene) => s.tables.sessions.get(s.session.hash)?.revokedAt !== null;

describe("LO-01 a client's logout request", () => {
  test("LO-01 with an ID token of this session, even an expired one: ends the session and redirects with state", async () => {
    const s = world();
    const id_token_hint = await hintFor(s);
    s.clock.now += 86_400;
    const step = await ask(s, { id_token_hint, post_logout_redirect_uri: RETURN, state: "s 1" });
    expect(step).toEqual({ kind: "done", after: { kind: "redirect", to: `${RETURN}&state=s%201` } });
    expect(ended(s)).toBe(true);
  });

  test("LO-01 with an ID token from before the user signed in again in this browser, but only the client's own", async () => {
    const s = world();
    const [first, owned] = [
      s.session.id,
      { id: "g", userId: s.user.id, scope: "openid", accessEpoch: 0, createdAt: s.clock.now },
    ];
    await s.store.saveGrant({ ...owned, clientId: "shop-web", sessionId: first });
    const again = await startSession(
      { user: s.user, previousHash: s.session.hash, userAgent: null, address: null, ...passwordSignIn(s.deps) },
      s.deps,
    );
    const active = { session: again.session, user: s.user };
    const by = async (change: { clientId?: string; sessionId?: string }) =>
      requestLogout(new URLSearchParams({ id_token_hint: await hintFor(s, change) }), active, s.deps, CALLER);
    expect(again.session.id).not.toBe(first);
    expect(await by({ sessionId: first, clientId: "other-web" })).toMatchObject({ kind: "confirm" });
    expect(await by({ sessionId: "another" })).toMatchObject({ kind: "confirm" });
    expect(await by({ sessionId: first })).toMatchObject({ kind: "done" });
    expect(s.tables.sessions.get(again.session.hash)?.revokedAt).not.toBeNull();
  });

  test("LO-01 without state nothing is added, and without a URI the user stays on our page", async () => {
    const s = world();
    const id_token_hint = await hintFor(s);
    const back = { kind: "done", after: { kind: "redirect", to: RETURN } };
    expect(await ask(s, { id_token_hint, post_logout_redirect_uri: RETURN }, false)).toEqual(back);
    expect(await ask(s, { id_token_hint }, false)).toEqual({ kind: "done", after: { kind: "stay" } });
    expect(await ask(s, { client_id: "shop-web", post_logout_redirect_uri: RETURN }, false)).toEqual(back);
  });

  test.each<[string, (s: Scene) => Promise<Record<string, string>> | Record<string, string>]>([
    ["nothing", () => ({})],
    ["client_id alone", () => ({ client_id: "shop-web", post_logout_redirect_uri: RETURN })],
    ["a hint about another session", async (s) => ({ id_token_hint: await hintFor(s, { sessionId: "another" }) })],
    ["a hint about another user", async (s) => ({ id_token_hint: await hintFor(s, { userId: "user-grace" }) })],
  ])("LO-02 %s: the user is asked first", async (_, params) => {
    const s = world();
    const sent = await params(s);
    const step = await ask(s, sent);
    if (step.kind !== "confirm") throw new Error(`expected a question, got ${step.kind}`);
    expect(ended(s)).toBe(false);
    const to = sent["post_logout_redirect_uri"];
    expect(await confirmLogout(step.request, s.active, s.deps)).toEqual(
      to === undefined ? { kind: "stay" } : { kind: "redirect", to },
    );
    expect(ended(s)).toBe(true);
  });

  describe.each(["dynamic", "metadata_document"] as const)(
    "AZ-35 a %s client gets a link on our page, never a redirect",
    (origin) => {
      const leave = { kind: "leave", to: `${RETURN}&state=s1`, host: "app.example" };
      const asked = { post_logout_redirect_uri: RETURN, state: "s1" };
      const strange = () => {
        const s = world();
        s.changeClient("shop-web", { origin });
        return s;
      };

      test.each([
        ["signed out, with client_id", false, false],
        ["signed out, with a hint", false, true],
        ["signed in, with a hint about this session", true, true],
      ])("%s", async (_, active, hinted) => {
        const s = strange();
        const who = hinted ? { id_token_hint: await hintFor(s) } : { client_id: "shop-web" };
        expect(await ask(s, { ...who, ...asked }, active)).toEqual({ kind: "done", after: leave });
      });

      test.each([
        ["client_id", async () => ({ client_id: "shop-web" })],
        [
          "a hint about another session",
          async (s: Scene) => ({ id_token_hint: await hintFor(s, { sessionId: "another" }) }),
        ],
      ])("after the confirmation, with %s", async (_, who) => {
        const s = strange();
        const step = await ask(s, { ...(await who(s)), ...asked });
        if (step.kind !== "confirm") throw new Error(`expected a question, got ${step.kind}`);
        expect(await confirmLogout(step.request, s.active, s.deps)).toEqual(leave);
        expect(ended(s)).toBe(true);
      });
    },
  );

  test("LO-02 a post-logout URI that was removed while the page was open is not used; the user is signed out", async () => {
    const s = world();
    const step = await ask(s, { client_id: "shop-web", post_logout_redirect_uri: RETURN });
    if (step.kind !== "confirm") throw new Error(`expected a question, got ${step.kind}`);
    s.changeClient("shop-web", { postLogoutRedirectUris: [] });
    expect(await confirmLogout(step.request, s.active, s.deps)).toEqual({ kind: "stay" });
    expect(ended(s)).toBe(true);
  });

  test.each<[string, (s: Scene) => Promise<[string, string][]> | [string, string][]]>([
    [
      "a URI that is not registered",
      async (s) => [
        ["id_token_hint", await hintFor(s)],
        ["post_logout_redirect_uri", "https://evil.example/"],
      ],
    ],
    [
      "a changed query",
      async (s) => [
        ["id_token_hint", await hintFor(s)],
        ["post_logout_redirect_uri", `${RETURN}&x=1`],
      ],
    ],
    ["a URI without hint or client", () => [["post_logout_redirect_uri", RETURN]]],
    [
      "another client's URI",
      async (s) => [
        ["id_token_hint", await hintFor(s, { clientId: "other-web" })],
        ["post_logout_redirect_uri", RETURN],
      ],
    ],
    [
      "a redirect URI in its place",
      () => [
        ["client_id", "shop-web"],
        ["post_logout_redirect_uri", "https://app.example/cb"],
      ],
    ],
    ["an altered hint", async (s) => [["id_token_hint", `${(await hintFor(s)).slice(0, -8)}AAAAAAAA`]]],
    ["an unsigned hint", () => [["id_token_hint", "eyJhbGciOiJub25lIn0.eyJzdWIiOiJ1c2VyLWFkYSJ9."]]],
    ["a hint of another server", async () => [["id_token_hint", await hintFor(scene())]]],
    [
      "client_id that is not the hint's",
      async (s) => [
        ["id_token_hint", await hintFor(s)],
        ["client_id", "other-web"],
      ],
    ],
    [
      "a repeated parameter",
      () => [
        ["client_id", "shop-web"],
        ["client_id", "shop-web"],
      ],
    ],
    ["far too much", () => [["state", "x".repeat(9000)]]],
  ])(
    "LO-02 %s: the user is asked, is signed out and stays here, and the ledger says what was wrong",
    async (_, params) => {
      const s = world();
      const step = await ask(s, await params(s));
      if (step.kind !== "confirm") throw new Error(`expected a question, got ${step.kind}`);
      expect(ended(s)).toBe(false);
      expect(s.tables.refusals).toHaveLength(1);
      expect(s.tables.refusals[0]).toMatchObject({ endpoint: "/logout", error: "invalid_request" });
      expect(await confirmLogout(step.request, s.active, s.deps)).toEqual({ kind: "stay" });
      expect(ended(s)).toBe(true);
      expect(await ask(s, await params(s), false)).toEqual({ kind: "done", after: { kind: "stay" } });
    },
  );

  test("LO-02 a disabled client gets no redirect", async () => {
    const s = world();
    s.changeClient("shop-web", { enabled: false });
    const after = { kind: "done", after: { kind: "stay" } };
    expect(await ask(s, { client_id: "shop-web", post_logout_redirect_uri: RETURN }, false)).toEqual(after);
  });

  test("LO-02 a confirmation must be for this session, unaltered and at most half an hour old", async () => {
    const s = world();
    const step = await ask(s, {});
    if (step.kind !== "confirm") throw new Error("expected a question");
    const other = { session: { ...s.session, id: "another" }, user: s.user };
    expect(await confirmLogout(step.request, other, s.deps)).toBeUndefined();
    expect(await confirmLogout(`${step.request}x`, s.active, s.deps)).toBeUndefined();
    s.clock.now += 1800;
    expect(await confirmLogout(step.request, s.active, s.deps)).toBeUndefined();
    expect(ended(s)).toBe(false);
  });
});

describe("RT-08 grants that end with a session", () => {
  const grant = (s: Scene, id: string, scope: string, sessionId: string | null = s.session.id) =>
    s.store.saveGrant({
      id,
      clientId: "shop-web",
      userId: s.user.id,
      scope,
      sessionId,
      accessEpoch: 0,
      createdAt: s.clock.now,
    });

  test("RT-08 ends grants that depend on the sign-in, but not offline ones or those of other sessions", async () => {
    const s = world();
    await grant(s, "sign-in", "openid api:read");
    await grant(s, "offline", "openid offline_access");
    await grant(s, "plain", "api:read");
    await grant(s, "elsewhere", "openid", "another");
    expect(await endSessionById(s.user.id, s.session.id, s.deps)).toBe(true);
    expect([...s.tables.grants.values()].filter(({ revokedAt }) => revokedAt !== null).map(({ id }) => id)).toEqual([
      "sign-in",
    ]);
    expect(await endSessionById(s.user.id, s.session.id, s.deps)).toBe(false);
  });

  test("signing in again as the same user keeps them; as another user ends them", async () => {
    const s = world();
    const grace = { ...s.user, id: "user-grace" };
    s.tables.users.set(grace.id, grace);
    await grant(s, "sign-in", "openid");
    const again = await startSession(
      { user: s.user, previousHash: s.session.hash, userAgent: null, address: null, ...passwordSignIn(s.deps) },
      s.deps,
    );
    expect(s.tables.grants.get("sign-in")?.revokedAt).toBeNull();
    await grant(s, "second", "openid", again.session.id);
    await startSession(
      { user: grace, previousHash: again.session.hash, userAgent: null, address: null, ...passwordSignIn(s.deps) },
      s.deps,
    );
    expect(s.tables.grants.get("second")?.revokedAt).not.toBeNull();
  });
});
