import { describe, expect, test } from "vitest";
import { createSeal } from "../crypto/seal.ts";
import { sha256, timeOfId } from "../crypto/secret.ts";
import { introspect } from "../endpoints/introspect.ts";
import { revoke } from "../endpoints/revoke.ts";
import { token } from "../endpoints/token.ts";
import { basic, post, type Scene, scene, seededRandom, textAt, VERIFIER, WEB_SECRET } from "../testing/index.ts";
import { firstRefreshToken, successorOf } from "./refresh-token.ts";

const AUTH = basic("shop-web", WEB_SECRET);
const FORM = /^grt_(?<family>[\w-]{25})(?<generation>[\w-]{6})(?<secret>[\w-]{43})(?<mac>[\w-]{22})$/;

const refresh = (s: Scene, refresh_token: string, change: Record<string, string> = {}) =>
  post(s, token, { grant_type: "refresh_token", refresh_token, ...change }, AUTH);
const isLive = (s: Scene) => [...s.tables.grants.values()].every((grant) => grant.revokedAt === null);
const lastCause = (s: Scene) => s.tables.refusals.at(-1)?.cause;

/** A scene whose client has rotated its token so often, and all of its tokens: the last one is current. */
async function rotated(times: number, s = scene()) {
  const code = await s.plantCode();
  const tokens = [
    textAt(
      await post(s, token, { grant_type: "authorization_code", code, code_verifier: VERIFIER }, AUTH),
      "refresh_token",
    ),
  ];
  for (let turn = 0; turn < times; turn++) tokens.push(textAt(await refresh(s, tokens.at(-1) ?? ""), "refresh_token"));
  return { s, tokens, at: (place: number) => tokens.at(place) ?? "" };
}

const partsOf = (text: string) =>
  ({ ...FORM.exec(text)?.groups }) as { family: string; generation: string; secret: string; mac: string };
function forged(text: string, change: Partial<ReturnType<typeof partsOf>>): string {
  const { family, generation, secret, mac } = { ...partsOf(text), ...change };
  return `grt_${family}${generation}${secret}${mac}`;
}
/** The text with its first character replaced. */
const altered = (text: string) => (text.startsWith("A") ? "B" : "A") + text.slice(1);

describe("refresh tokens of a family, RT-03 RT-10 OP-37", () => {
  test("SE-05 RT-10 a token names its family and generation, and only hashes of two are stored", async () => {
    const { s, tokens, at } = await rotated(3);
    const parts = tokens.map(partsOf);
    expect(new Set(parts.map(({ family }) => family)).size).toBe(1);
    expect(parts.map(({ generation }) => generation).toSorted()).toEqual(parts.map(({ generation }) => generation));
    expect(new Set(parts.map(({ secret }) => secret)).size).toBe(4);
    const families = [...s.tables.refreshFamilies.values()];
    expect(families).toMatchObject([{ generation: 3, currentHash: sha256(at(3)), previousHash: sha256(at(2)) }]);
    for (const { secret, mac } of parts)
      for (const part of [secret, mac]) expect(JSON.stringify(families)).not.toContain(part);
  });

  test("OP-37 an access token that a rotation derives begins with its expiry, which orders its row", async () => {
    const { s, at } = await rotated(1);
    const answer = await refresh(s, at(1));
    expect(timeOfId(textAt(answer, "access_token").slice(4))).toBe(s.clock.now + Number(answer.body["expires_in"]));
  });

  test.each([0, 1, 2])("RT-03 generation %i of 4 is reuse and revokes the grant", async (generation) => {
    const { s, at } = await rotated(4);
    expect(await refresh(s, at(generation))).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
    expect(lastCause(s)).toBe("refresh_token_reused");
    expect(s.tables.refusals.at(-1)?.detail).toMatchObject({ rotationsSince: 4 - generation });
    expect((await refresh(s, at(4))).status).toBe(400);
  });

  test.each<[string, (tokens: string[]) => string]>([
    [
      "the current token with another MAC",
      ([, , , current = ""]) => forged(current, { mac: altered(partsOf(current).mac) }),
    ],
    ["a spent token with another MAC", ([first = ""]) => forged(first, { mac: altered(partsOf(first).mac) })],
    [
      "a spent token with the MAC of another",
      ([first = "", second = ""]) => forged(first, { mac: partsOf(second).mac }),
    ],
    [
      "the current token with an earlier generation",
      ([first = "", , , current = ""]) => forged(current, { generation: partsOf(first).generation }),
    ],
    [
      "a spent token with the current generation",
      ([first = "", , , current = ""]) => forged(first, { generation: partsOf(current).generation }),
    ],
    ["the current token with the next generation", ([, , , current = ""]) => forged(current, { generation: "-----4" })],
    ["a generation without digits", ([first = ""]) => forged(first, { generation: "zzzzzz" })],
    ["a guessed secret", ([first = ""]) => forged(first, { secret: altered(partsOf(first).secret) })],
    ["a truncated token", ([first = ""]) => first.slice(0, -1)],
    ["a longer token", ([first = ""]) => `${first}A`],
    ["the end of a token", ([first = ""]) => `grt_${first.slice(-71)}`],
    ["no more than the family", ([first = ""]) => `grt_${partsOf(first).family}`],
    ["a token in other letters", ([first = ""]) => first.replace("grt_", "grt_\u00e9")],
    ["a token of another kind", ([first = ""]) => first.replace("grt_", "gat_")],
    ["a very long one", ([first = ""]) => first + "A".repeat(20_000)],
  ])("RT-01 nobody can revoke a family by guessing: %s has no effect", async (_, forge) => {
    const { s, tokens, at } = await rotated(3);
    const guess = forge(tokens);
    expect(tokens).not.toContain(guess);
    expect(await refresh(s, guess)).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
    expect(lastCause(s)).toBe("refresh_token_unknown");
    expect((await post(s, revoke, { token: guess }, AUTH)).status).toBe(200);
    expect((await post(s, introspect, { token: guess }, AUTH)).body).toEqual({ active: false });
    expect(isLive(s)).toBe(true);
    expect((await refresh(s, at(3))).status).toBe(200);
  });

  test("RT-01 a token that names another family is unknown there, and revokes neither", async () => {
    const first = await rotated(2);
    const second = await rotated(2, first.s);
    const moved = forged(first.at(0), { family: partsOf(second.at(0)).family });
    expect((await refresh(first.s, moved)).status).toBe(400);
    expect(lastCause(first.s)).toBe("refresh_token_unknown");
    expect(isLive(first.s)).toBe(true);
  });

  test("RT-03 a token that is newer than the row, whose last rotations the database has lost, is reuse too", async () => {
    const { s, at } = await rotated(1);
    const earlier = new Map(s.tables.refreshFamilies);
    const lost = textAt(await refresh(s, at(1)), "refresh_token");
    for (const [id, family] of earlier) s.tables.refreshFamilies.set(id, family);
    expect((await refresh(s, lost)).status).toBe(400);
    expect([lastCause(s), isLive(s)]).toEqual(["refresh_token_reused", false]);
  });

  test("RV-04 IN-02 only the current token is active, and a spent one of any generation revokes the grant", async () => {
    const { s, tokens, at } = await rotated(3);
    const active = [];
    for (const text of tokens) active.push((await post(s, introspect, { token: text }, AUTH)).body["active"]);
    expect(active).toEqual([false, false, false, true]);
    await post(s, revoke, { token: at(0) }, AUTH);
    expect(isLive(s)).toBe(false);
  });
});

describe("another installation secret, OP-14", () => {
  /** The same database under another secret. */
  const changeSecret = (s: Scene) => {
    s.deps.seal = createSeal("another secret of at least thirty-two bytes", s.deps.random);
  };

  test("the current token still works, and so do its successors", async () => {
    const { s, at } = await rotated(2);
    changeSecret(s);
    const next = await refresh(s, at(2));
    expect(next.status).toBe(200);
    expect((await refresh(s, at(2))).text).toBe(next.text);
    expect((await refresh(s, textAt(next, "refresh_token"))).status).toBe(200);
  });

  test("RT-03 the token that was spent last is still reuse; older ones are unknown, and revoke nothing", async () => {
    const { s, at } = await rotated(2);
    changeSecret(s);
    await refresh(s, at(0));
    expect([lastCause(s), isLive(s)]).toEqual(["refresh_token_unknown", true]);
    await refresh(s, at(1));
    expect([lastCause(s), isLive(s)]).toEqual(["refresh_token_reused", false]);
  });
});

describe("rotation of the installation's secret, OP-15", () => {
  const OLD = "a secret of at least thirty-two bytes";
  const NEXT = "the next secret, of thirty-two bytes or more";
  const [prepared, switched, done] = [[OLD, NEXT], [NEXT, OLD], [NEXT]] as const;
  /** Requests reach a process with these secrets. */
  const secrets = (s: Scene, [current, ...previous]: readonly [string, ...string[]]) => {
    s.deps.seal = createSeal(current, s.deps.random, previous);
  };

  test.each([
    ["switched", prepared, switched],
    ["not yet", switched, prepared],
  ])("CF-20 the process that has %s repeats a lost response of one that was first", async (_, first, second) => {
    const { s, at } = await rotated(1);
    secrets(s, first);
    const lost = await refresh(s, at(1));
    secrets(s, second);
    const again = await refresh(s, at(1));
    expect([again.status, again.text]).toEqual([200, lost.text]);
    secrets(s, first);
    expect((await refresh(s, textAt(again, "refresh_token"))).status).toBe(200);
  });

  test("RT-03 an old token of either secret is reuse while both count", async () => {
    for (const both of [prepared, switched]) {
      const { s, at } = await rotated(2);
      secrets(s, switched);
      await refresh(s, at(2));
      secrets(s, both);
      await refresh(s, at(0));
      expect([lastCause(s), isLive(s)]).toEqual(["refresh_token_reused", false]);
    }
  });

  test("afterwards the old secret makes no token: one with its MAC is unknown and revokes nothing", async () => {
    const { s, at } = await rotated(2);
    secrets(s, switched);
    const next = textAt(await refresh(s, at(2)), "refresh_token");
    secrets(s, done);
    const { secret: forged } = firstRefreshToken(at(0).slice(4, -71), {
      random: s.deps.random,
      seal: createSeal(OLD, s.deps.random),
    });
    expect(forged).toHaveLength(at(0).length);
    await refresh(s, forged);
    expect([lastCause(s), isLive(s)]).toEqual(["refresh_token_unknown", true]);
    expect((await refresh(s, next)).status).toBe(200);
  });
});

describe("what a rotation derives, CF-20", () => {
  const random = seededRandom("refresh");
  const seal = createSeal("a secret of at least thirty-two bytes", random);
  const { secret: text, hash } = firstRefreshToken("family", { random, seal });
  const presented = { text, hash, familyId: "family", generation: 0 };
  const asked = { scope: "api:read", resource: "https://gate.example/api", dpopJkt: undefined };
  const derive = (change: { text?: string; rotationId?: string; seal?: typeof seal } & Partial<typeof asked> = {}) => {
    const { text = presented.text, rotationId = "0fHS7---drotation", seal: under = seal, ...request } = change;
    const { refreshToken, accessToken } = successorOf(
      { ...presented, text },
      rotationId,
      { ...asked, ...request },
      under,
    );
    return [refreshToken.secret, accessToken.secret];
  };

  test("the same token, rotation and request lead to the same successor and access token", () => {
    expect(derive()).toEqual(derive());
    expect(derive()).toEqual([
      expect.stringMatching(/^grt_family-----0[\w-]{65}$/),
      expect.stringMatching(/^gat_0fHS7---d[\w-]{43}$/),
    ]);
  });

  test.each<[string, Parameters<typeof derive>[0]]>([
    ["the presented token", { text: altered(text) }],
    ["the rotation", { rotationId: "0fHS7---danother" }],
    ["the installation's secret", { seal: createSeal("another secret of at least thirty-two bytes", random) }],
    ["the scope", { scope: "api:write" }],
    ["the resource", { resource: "https://mail.example" }],
    ["the key", { dpopJkt: "key" } as object],
    ["the border between scope and resource", { scope: `api:read","${asked.resource}` }],
  ])("without %s neither can be derived", (_, change) => {
    const secrets = new Set([...derive(), ...derive(change)].map((secret) => secret.slice(13)));
    expect(secrets.size).toBe(4);
  });
});
