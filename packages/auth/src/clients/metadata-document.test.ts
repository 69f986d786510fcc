import { describe, expect, test } from "vitest";
import { decideConsent, openConsent } from "../authorization/consent.ts";
import { describePendingRequest } from "../authorization/pending-request.ts";
import { authorize, resumeAuthorization } from "../endpoints/authorize.ts";
import { pushedAuthorizationRequest } from "../endpoints/par.ts";
import { LIFETIME } from "../lifetimes.ts";
import { type FetchedDocument, OutboundError } from "../outbound/outbound.ts";
import { landed, post, query, type Scene, scene, sealedOf, signIn, textAt } from "../testing/index.ts";

const ID = "https://app.example/oauth/client.json";
const DOCUMENT = {
  client_id: ID,
  client_name: "Reader",
  redirect_uris: ["https://app.example/cb"],
  token_endpoint_auth_method: "none",
};

/** A scene where `documents` are published; what was fetched is noted. */
function published(document: unknown = DOCUMENT, cacheControl?: string) {
  const s = scene();
  s.deps.config = { ...s.deps.config, clientMetadataDocuments: true };
  const world = { document, fetched: [] as string[], problem: undefined as OutboundError | undefined };
  s.deps.fetchDocument = async (url): Promise<FetchedDocument> => {
    world.fetched.push(url);
    if (world.problem) throw world.problem;
    const text = typeof world.document === "string" ? world.document : JSON.stringify(world.document);
    return { text, headers: { cacheControl, age: undefined } };
  };
  return { s, world };
}

const asking = (change: Record<string, string> = {}) => query({ client_id: ID, ...change });
const ask = (s: Scene, change?: Record<string, string>) => authorize(asking(change), s.active, s.deps, s.caller);
const refused = (result: Awaited<ReturnType<typeof ask>>) =>
  result.kind === "refuse" ? [result.error.status, result.error.refusalCause] : result.kind;

describe("client metadata documents", () => {
  test("CI-07: the document is fetched only after sign-in; then the user is asked for consent", async () => {
    const { s, world } = published();
    const first = await authorize(asking(), undefined, s.deps, s.caller);
    const sealed = sealedOf(first, "sign_in");
    expect(world.fetched).toEqual([]);
    expect(await describePendingRequest(sealed, s.deps)).toMatchObject({ applicationName: "app.example" });

    const next = await resumeAuthorization(sealed, s.active, s.deps, s.caller);
    expect(world.fetched).toEqual([ID]);
    expect(await openConsent(sealedOf(next, "consent"), s.active, s.deps)).toMatchObject({
      client: { clientId: ID, applicationName: "Reader (app.example/oauth/client.json)" },
      redirectHost: "app.example",
      selfDescribed: { documentHost: "app.example" },
      onThisMachine: false,
    });
  });

  test("CI-04 CI-08: once allowed, it gets a code at a redirect URI of its document; the page says when that is on localhost", async () => {
    const { s } = published({ ...DOCUMENT, redirect_uris: ["http://localhost/cb"] });
    const asked = await ask(s, { redirect_uri: "http://localhost:5555/cb" });
    expect(await openConsent(sealedOf(asked, "consent"), s.active, s.deps)).toMatchObject({
      onThisMachine: true,
      unverified: true,
    });
    const back = landed(await decideConsent(sealedOf(asked, "consent"), "allow", s.active, s.deps, s.caller));
    expect(back).toMatchObject({ to: "http://localhost:5555/cb", code: expect.any(String) });
    expect(s.tables.strangers.get(ID)?.confirmedAt).toBe(s.clock.now);
    expect(refused(await ask(s, { redirect_uri: "https://evil.example/cb" }))).toEqual([
      400,
      "redirect_uri_unregistered",
    ]);
  });

  test("AZ-35 CF-12: a denial and an error appear on our page, with a link to the client", async () => {
    const { s } = published();
    const asked = sealedOf(await ask(s), "consent");
    const denied = await decideConsent(asked, "deny", s.active, s.deps, s.caller);
    expect(denied).toMatchObject({
      kind: "refuse",
      leave: { host: "app.example", to: expect.stringContaining("error=access_denied") },
    });
    expect(await ask(s, { scope: "nonsense" })).toMatchObject({
      kind: "refuse",
      leave: { to: expect.stringMatching(/^https:\/\/app\.example\/cb\?error=invalid_scope/) },
    });
    const silent = await authorize(asking({ prompt: "none" }), undefined, s.deps, s.caller);
    expect(refused(silent)).toEqual([400, "prompt_none_unmet"]);
    expect(silent).not.toHaveProperty("leave");
  });

  test.each([
    ["no path", "https://app.example"],
    ["a fragment", "https://app.example/c#x"],
    ["credentials", "https://u:p@app.example/c"],
    ["a dot segment", "https://app.example/a/../c"],
    ["a dot segment at the end", "https://app.example/a/."],
    ["an escaped dot segment", "https://app.example/a/%2e%2E/c"],
    ["plain http", "http://app.example/c"],
    ["http on loopback, for an issuer that is not", "http://127.0.0.1/c"],
  ])("CI-01: an id with %s is not fetched", async (_, client_id) => {
    const { s, world } = published();
    expect(refused(await ask(s, { client_id }))).toEqual([400, "client_document_invalid"]);
    expect(world.fetched).toEqual([]);
  });

  test.each<[string, unknown]>([
    ["CI-02 another client_id", { ...DOCUMENT, client_id: `${ID}/` }],
    ["CI-02 a default port more", { ...DOCUMENT, client_id: "https://app.example:443/oauth/client.json" }],
    ["CI-02 no client_id", { ...DOCUMENT, client_id: undefined }],
    ["CI-02 no name", { ...DOCUMENT, client_name: undefined }],
    ["CI-02 no redirect URI", { ...DOCUMENT, redirect_uris: undefined }],
    ["CI-03 a secret", { ...DOCUMENT, client_secret: "s" }],
    ["CI-03 a secret's expiry", { ...DOCUMENT, client_secret_expires_at: 0 }],
    ["CI-03 a method with a secret", { ...DOCUMENT, token_endpoint_auth_method: "client_secret_basic" }],
    ["CI-03 a private key", { ...DOCUMENT, jwks: { keys: [{ kty: "OKP", crv: "Ed25519", x: "a", d: "b" }] } }],
    [
      "CF-14 a scheme that clients may register, even beside https",
      { ...DOCUMENT, redirect_uris: ["https://app.example/cb", "cursor://cb/x"] },
    ],
    ["CF-14 a scheme of its own", { ...DOCUMENT, redirect_uris: ["com.example.app:/cb"] }],
    ["a list", [DOCUMENT]],
    ["no JSON", "<html>"],
  ])("a document with %s is not used", async (_, document) => {
    const { s } = published(document);
    expect(refused(await ask(s))).toEqual([400, "client_document_invalid"]);
    expect(s.tables.clients.has(ID)).toBe(false);
  });

  test.each(["address_not_public", "status_not_200", "timed_out", "too_large", "content_type_wrong"] as const)(
    "CI-05 CI-07: %s ends on our page, says nothing of why, and is not remembered",
    async (problem) => {
      const { s, world } = published();
      world.problem = new OutboundError(problem, "10.0.0.1");
      const result = await ask(s);
      expect(refused(result)).toEqual([400, "client_document_unavailable"]);
      expect(result.kind === "refuse" && result.error.description).not.toContain("10.0.0.1");
      world.problem = undefined;
      expect((await ask(s)).kind).toBe("consent");
    },
  );

  test.each([
    [undefined, 3600],
    ["max-age=120", 120],
    ["max-age=0", 60],
    ["no-store", 60],
    ["public, max-age=999999999", 86_400],
  ])("CI-06: cache-control %s is cached for %i s", async (cacheControl, seconds) => {
    const { s, world } = published(DOCUMENT, cacheControl);
    await ask(s);
    s.clock.now += seconds - 1;
    await ask(s);
    expect(world.fetched).toHaveLength(1);
    s.clock.now += 1;
    await ask(s);
    expect(world.fetched).toHaveLength(2);
  });

  test.each([
    ["its redirect URIs change", { redirect_uris: [...DOCUMENT.redirect_uris, "https://app.example/other"] }],
    ["its name changes", { client_name: "Reader 2" }],
    ["its logo changes", { logo_uri: "https://app.example/logo.png" }],
    ["its keys change", { jwks_uri: "https://app.example/keys" }],
  ])("CI-06: consent remains while the document is unchanged, and is asked again when %s", async (_, change) => {
    const { s, world } = published(DOCUMENT, "max-age=60");
    await decideConsent(sealedOf(await ask(s), "consent"), "allow", s.active, s.deps, s.caller);
    s.clock.now += 60;
    world.document = { ...DOCUMENT, contacts: ["hello@app.example"] };
    expect((await ask(s)).kind).toBe("redirect");
    s.clock.now += 60;
    world.document = { ...DOCUMENT, ...change };
    expect((await ask(s)).kind).toBe("consent");
  });

  test("AZ-31 AZ-33 a document that another user's request fetched in between widens nothing", async () => {
    const { s, world } = published(
      { ...DOCUMENT, scope: "openid", grant_types: ["authorization_code", "refresh_token"] },
      "max-age=60",
    );
    const sealed = sealedOf(await ask(s, { scope: "openid offline_access profile" }), "consent");
    const view = await openConsent(sealed, s.active, s.deps);
    world.document = { ...DOCUMENT, grant_types: ["authorization_code", "refresh_token"] };
    s.clock.now += 60;
    await authorize(asking(), { ...s.active, session: { ...s.session, id: "of another user" } }, s.deps, s.caller);
    expect(s.tables.clients.get(ID)?.scopes).toContain("api:write");
    await decideConsent(view?.request ?? "", "allow", s.active, s.deps, s.caller);
    expect([...s.tables.codes.values()].map(({ scope }) => scope)).toEqual([
      view?.scopes.map(({ name }) => name).join(" "),
    ]);
  });

  test("PA-01 CI-07: a client that nobody here has heard of can push its first request, within the limit of its address", async () => {
    const { s, world } = published();
    const push = (change: Record<string, string> = {}) => post(s, pushedAuthorizationRequest, [...asking(change)]);
    const pushed = await push();
    expect([pushed.status, world.fetched]).toEqual([201, [ID]]);
    expect((await push()).status).toBe(201);
    expect(world.fetched).toEqual([ID]); // it is known now

    world.document = { ...DOCUMENT, client_id: "https://other.example/c" };
    const wrong = await push({ client_id: "https://app.example/other.json" });
    expect(wrong).toMatchObject({ status: 401, body: { error: "invalid_client" } });
    s.deps.quota = async (of) => (of === "client document" ? 60 : 0);
    expect((await push({ client_id: "https://app.example/third.json" })).status).toBe(429);
    s.deps.config = { ...s.deps.config, clientMetadataDocuments: false };
    expect((await push({ client_id: "https://app.example/fourth.json" })).status).toBe(401);
    expect(world.fetched).toEqual([ID, "https://app.example/other.json"]);
  });

  test("PA-04 CI-07: its pushed request survives a sign-in that takes longer than the reference is valid", async () => {
    const { s } = published();
    const pushed = await post(s, pushedAuthorizationRequest, [
      ...asking({ state: "pushed", login_hint: "ada@example.com" }),
    ]);
    const params = new URLSearchParams({ client_id: ID, request_uri: textAt(pushed, "request_uri"), state: "other" });
    const waiting = await authorize(params, undefined, s.deps, s.caller);
    expect(waiting).toMatchObject({ kind: "sign_in", loginHint: "ada@example.com" });
    s.clock.now += 10 * LIFETIME.pushedRequestSeconds;
    const asked = await resumeAuthorization(sealedOf(waiting, "sign_in"), await signIn(s), s.deps, s.caller);
    expect(asked.kind).toBe("consent");
    expect(refused(await authorize(params, undefined, s.deps, s.caller))).toEqual([400, "pushed_request_expired"]);
  });

  test("CI-07 CI-10: lookups from one address are limited; a client that an admin disabled is not fetched", async () => {
    const { s, world } = published(DOCUMENT, "max-age=60");
    await ask(s);
    s.clock.now += 60;
    s.deps.quota = async () => 30;
    expect(refused(await ask(s))).toEqual([429, "rate_limited"]);
    s.changeClient(ID, { enabled: false });
    expect(refused(await ask(s))).toEqual([400, "client_disabled"]);
    expect(world.fetched).toHaveLength(1);
  });

  test.each([
    ["client_id", ID],
    ["document_host", "app.example"],
    ["document_host", "example"],
  ] as const)("CI-10: a client blocked by %s %s is neither fetched nor admitted", async (kind, value) => {
    const { s, world } = published();
    s.tables.clientBlocks.push({ kind, value, reason: "", createdAt: s.clock.now, expiresAt: null });
    const result = await ask(s);
    expect(refused(result)).toEqual([400, "registration_blocked"]);
    expect(result).not.toHaveProperty("leave");
    expect(world.fetched).toEqual([]);
  });

  test("CI-10: a document with a blocked software_id is not admitted", async () => {
    const { s } = published({ ...DOCUMENT, software_id: "spam-bot" });
    s.tables.clientBlocks.push({
      kind: "software_id",
      value: "spam-bot",
      reason: "",
      createdAt: s.clock.now,
      expiresAt: null,
    });
    expect(refused(await ask(s))).toEqual([400, "client_disabled"]);
  });

  test("CI-10 SE-07: callers of one /64 count as one, and so do all with an unknown address", async () => {
    const { s } = published();
    const keys: string[] = [];
    s.deps.quota = async (_, key) => keys.push(key) && 30;
    for (const address of ["2001:db8:1:2::7", "2001:db8:1:2:ffff::8", null, null]) {
      s.caller.address = address;
      expect(refused(await ask(s))).toEqual([429, "rate_limited"]);
    }
    expect([keys.length, new Set(keys).size]).toEqual([4, 2]);
  });

  test("CI-09: when disabled, a client id that is a URL is unknown", async () => {
    const { s, world } = published();
    s.deps.config = { ...s.deps.config, clientMetadataDocuments: false };
    expect(refused(await ask(s))).toEqual([400, "client_unknown"]);
    expect(world.fetched).toEqual([]);
  });

  test("AZ-04: a repeated parameter is rejected before sign-in", async () => {
    const { s } = published();
    const twice = query({ client_id: ID }, "&state=s2");
    expect(refused(await authorize(twice, undefined, s.deps, s.caller))).toEqual([400, "parameter_repeated"]);
  });
});
