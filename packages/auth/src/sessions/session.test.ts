import { ACR } from "@gatehouse/guard";
import { describe, expect, test } from "vitest";
import { storageHash } from "../crypto/secret.ts";
import { LIFETIME } from "../lifetimes.ts";
import { PASSWORD_SIGN_IN, passwordSignIn, scene } from "../testing/index.ts";
import { clearSessionCookie, endSession, raiseSession, readSession, sessionCookie, startSession } from "./session.ts";

const LOOPBACK = { issuer: "http://localhost:3000" };
const start = (s: ReturnType<typeof scene>, previousHash?: ReturnType<typeof storageHash>) =>
  startSession({ user: s.user, previousHash, userAgent: "Firefox", address: null, ...passwordSignIn(s.deps) }, s.deps);
const cookieOf = (secret: string) => `__Host-gatehouse_session=${secret}`;

describe("sessions", () => {
  test("SE-06 the store holds only the hash of the secret", async () => {
    const s = scene();
    const { session, secret } = await start(s);
    expect(session.hash).toBe(storageHash(secret));
    expect(JSON.stringify([...s.tables.sessions])).not.toContain(secret);
  });

  test("N17 SE-07 signing in creates a new id and revokes the previous session", async () => {
    const s = scene();
    const { secret, session } = await start(s, s.session.hash);
    expect(session.id).not.toBe(s.session.id);
    expect(await readSession(cookieOf(s.sessionSecret), s.deps)).toBeUndefined();
    expect((await readSession(cookieOf(secret), s.deps))?.session.id).toBe(session.id);
  });

  test("SN-01 a user has at most 100 sessions: the next one ends the oldest", async () => {
    const s = scene();
    const secrets: string[] = [];
    for (let count = 0; count < 101; count++) {
      s.clock.now += 1;
      secrets.push((await start(s)).secret);
    }
    expect(await s.store.listSessions(s.user.id, s.clock.now)).toHaveLength(100);
    expect(await readSession(cookieOf(secrets[0] ?? ""), s.deps)).toBeUndefined();
    expect(await readSession(cookieOf(secrets[1] ?? ""), s.deps)).toBeDefined();
    expect(await readSession(cookieOf(secrets[100] ?? ""), s.deps)).toBeDefined();
  });

  test("SE-07 the cookie of an ended session is worthless", async () => {
    const s = scene();
    await endSession(s.active, s.deps);
    expect(await readSession(cookieOf(s.sessionSecret), s.deps)).toBeUndefined();
  });

  test("a disabled user has no session", async () => {
    const s = scene();
    s.tables.users.set(s.user.id, { ...s.user, disabledAt: s.clock.now });
    expect(await readSession(cookieOf(s.sessionSecret), s.deps)).toBeUndefined();
  });

  test("use extends the idle expiry, with at most one write a minute", async () => {
    const s = scene();
    const { secret, session } = await start(s);
    s.clock.now += 59;
    expect((await readSession(cookieOf(secret), s.deps))?.session.lastSeenAt).toBe(session.lastSeenAt);
    s.clock.now += 1;
    expect((await readSession(cookieOf(secret), s.deps))?.session.lastSeenAt).toBe(s.clock.now);
    expect(s.tables.sessions.get(session.hash)?.expiresAt).toBe(s.clock.now + LIFETIME.sessionIdleSeconds);
  });

  test("an idle session expires to the second", async () => {
    const s = scene();
    const { secret } = await start(s);
    s.clock.now += LIFETIME.sessionIdleSeconds;
    expect(await readSession(cookieOf(secret), s.deps)).toBeUndefined();
  });

  test("a session in daily use ends at its absolute expiry", async () => {
    const s = scene();
    const { secret, session } = await start(s);
    for (let day = 0; day < 30; day += 1) {
      expect(await readSession(cookieOf(secret), s.deps), `day ${day}`).toBeDefined();
      s.clock.now += 86_400;
    }
    expect(s.clock.now).toBe(session.absoluteExpiresAt);
    expect(await readSession(cookieOf(secret), s.deps)).toBeUndefined();
  });

  test("SN-02 without 'Keep me signed in' a session ends after 8 hours without use, and after 24 hours in any case", async () => {
    const s = scene();
    const proof = { ...PASSWORD_SIGN_IN, authTime: s.clock.now };
    const { secret, session } = await startSession(
      { user: s.user, userAgent: null, address: null, proof, persistent: false },
      s.deps,
    );
    expect(session.absoluteExpiresAt).toBe(s.clock.now + 24 * 3600);
    s.clock.now += 8 * 3600 - 1;
    expect((await readSession(cookieOf(secret), s.deps))?.session.expiresAt).toBe(s.clock.now + 8 * 3600);
    s.clock.now += 8 * 3600;
    expect(await readSession(cookieOf(secret), s.deps)).toBeUndefined();
  });

  test("AL-03 AL-04 a second step rotates the secret, keeps the id and the time of the first factor; of racing steps one succeeds", async () => {
    const s = scene();
    const rise = { acr: ACR.mfa, amr: ["pwd", "otp", "mfa"], secondAt: s.clock.now };
    const [raised, late] = await Promise.all([
      raiseSession(s.active, rise, s.deps),
      raiseSession(s.active, rise, s.deps),
    ]);
    expect(late).toBeUndefined();
    expect(await readSession(cookieOf(s.sessionSecret), s.deps)).toBeUndefined();
    const read = await readSession(cookieOf(raised?.secret ?? ""), s.deps);
    expect(read?.session).toMatchObject({ id: s.session.id, authTime: s.session.authTime, ...rise });
  });

  test.each([
    ["no header", null],
    ["an empty header", ""],
    ["another cookie", "other=1; gatehouse_session=gse_x"],
    ["no value", "__Host-gatehouse_session"],
    ["a guess", "__Host-gatehouse_session=gse_guess"],
    ["a hash", `__Host-gatehouse_session=${storageHash("x")}`],
  ])("%s is not a session", async (_, header) => {
    expect(await readSession(header, scene().deps)).toBeUndefined();
  });

  test("the cookie is found among others", async () => {
    const s = scene();
    expect(await readSession(`a=1;${cookieOf(s.sessionSecret)} ; b=c=d`, s.deps)).toMatchObject({
      user: { id: s.user.id },
    });
  });

  test("SE-08 N17 the cookie is host-only, HttpOnly and Lax; on http loopback it has eight characters of the issuer for the prefix, and no Secure", () => {
    const { config } = scene().deps;
    expect(sessionCookie("x", { persistent: true }, config)).toBe(
      "__Host-gatehouse_session=x; Path=/; HttpOnly; SameSite=Lax; Secure; Max-Age=2592000",
    );
    expect(sessionCookie("x", { persistent: true }, LOOPBACK)).toBe(
      "gatehouse_f1de9e48_session=x; Path=/; HttpOnly; SameSite=Lax; Max-Age=2592000",
    );
    expect(sessionCookie("x", { persistent: false }, LOOPBACK)).toBe(
      "gatehouse_f1de9e48_session=x; Path=/; HttpOnly; SameSite=Lax",
    );
    expect(clearSessionCookie(LOOPBACK)).toBe("gatehouse_f1de9e48_session=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0");
  });
});
