import { FRESH_SIGN_IN_SECONDS } from "@gatehouse/accounts";
import { newAuthenticator } from "@gatehouse/accounts/testing";
import { ACR, cookieName, csrfToken, mintId, raiseSession, sessionCookie, startSession } from "@gatehouse/auth";
import { insertUser } from "@gatehouse/db/stores/accounts/users";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { GET, POST } from "../../../../app/account/security/passkeys/route.ts";
import { startTestApp } from "../../../start/testing/test-app.ts";

const SESSION = cookieName("session", { issuer: "http://localhost:3000" });

// Calls the handlers directly, on a database of their own: they change what no page can, such as the age of a sign-in.
const ISSUER = "http://localhost:3000";
const PATH = "/account/security/passkeys";
let running: Awaited<ReturnType<typeof startTestApp>>;

beforeAll(async () => {
  running = await startTestApp();
});
afterAll(() => running.close());

const optionsOf = (html: string) =>
  JSON.parse((/data-options="([^"]*)"/.exec(html)?.[1] ?? "{}").replaceAll("&quot;", '"'));
const challengeOf = (html: string) => /name="challenge" value="([^"]+)"/.exec(html)?.[1] ?? "";

/** A user without a password who has just signed in, and what they can do. */
async function signedIn() {
  const { deps } = running.app;
  const id = mintId(deps.random);
  const account = {
    id,
    email: `${id}@example.com`,
    name: "Ada",
    role: "user",
    createdAt: deps.now(),
    registeredBy: "operator",
  } as const;
  const user = await insertUser(deps.db, { ...account, passwordHash: null });
  if (!user) throw new Error("not inserted");
  const proof = { authTime: deps.now(), acr: ACR.phr, amr: ["pop"], secondAt: null };
  const { session, secret } = await startSession(
    { user, userAgent: null, address: null, proof: { ...proof, method: "passkey" }, persistent: true },
    deps,
  );
  const state = { session, cookie: sessionCookie(secret, session, deps.config).split(";")[0] ?? "" };

  const csrf = () => csrfToken(null, { session: state.session, user }, deps).token;
  const use = (raised: { session: typeof session; secret: string }) => {
    state.session = raised.session;
    state.cookie = sessionCookie(raised.secret, raised.session, deps.config).split(";")[0] ?? "";
  };
  return {
    userId: id,
    async post(fields: Record<string, string>) {
      const body = new URLSearchParams({ csrf: csrf(), ...fields });
      const response = await POST(
        new Request(ISSUER + PATH, { method: "POST", body, headers: { cookie: state.cookie } }),
      );
      const renewed = response.headers.getSetCookie().find((line) => line.startsWith(`${SESSION}=`));
      if (renewed) {
        state.cookie = renewed.split(";")[0] ?? "";
        const found = await deps.store.listSessions(id, deps.now());
        state.session = found.find((one) => one.id === state.session.id) ?? state.session;
      }
      return response;
    },
    async get() {
      return GET(new Request(ISSUER + PATH, { headers: { cookie: state.cookie } }));
    },
    async age(seconds: number) {
      const raised = await raiseSession({ session: state.session, user }, { authTime: deps.now() - seconds }, deps);
      if (raised) use(raised);
    },
  };
}

describe("a user's own passkeys", () => {
  let user: Awaited<ReturnType<typeof signedIn>>;
  beforeEach(async () => {
    user = await signedIn();
  });

  async function add(): Promise<string> {
    const html = await (await user.get()).text();
    const authenticator = newAuthenticator(ISSUER);
    const added = await user.post({ challenge: challengeOf(html), credential: authenticator.create(optionsOf(html)) });
    expect([added.status, added.headers.get("location")]).toEqual([303, "/account/security?notice=passkey_added"]);
    expect(added.headers.getSetCookie().some((line) => line.startsWith(`${SESSION}=`))).toBe(true); // WE-02
    return authenticator.credentialId;
  }

  test("N61 WA-12 the only way in cannot be removed: 409, and it stays; one of two can", async () => {
    const { deps } = running.app;
    const first = await add();
    const refused = await user.post({ action: "remove", id: first });
    expect(refused.status).toBe(409);
    expect(await refused.text()).toContain("only way to sign in");
    expect(await deps.people.listPasskeys(user.userId)).toHaveLength(1);

    const second = await add();
    expect((await user.post({ action: "remove", id: first })).headers.get("location")).toBe(
      "/account/security?notice=passkey_removed",
    );
    expect((await deps.people.listPasskeys(user.userId)).map(({ credentialId }) => credentialId)).toEqual([second]);
  });

  test("N51 WA-03 WA-09 nothing is added or removed eleven minutes after the sign-in", async () => {
    const { deps } = running.app;
    const id = await add();
    await user.age(FRESH_SIGN_IN_SECONDS + 60);
    const asked = [
      await user.get(),
      await user.post({ challenge: "x", credential: "y" }),
      await user.post({ action: "remove", id }),
    ];
    for (const response of asked)
      expect([response.status, response.headers.get("location")]).toEqual([
        303,
        expect.stringMatching(/^\/sign-in\/confirm\?/),
      ]);
    expect(await deps.people.listPasskeys(user.userId)).toHaveLength(1);
  });

  test("SN-04 every change is mailed and stands in the activity", async () => {
    const { deps } = running.app;
    const { db } = deps;
    const first = await add();
    await add();
    await user.post({ action: "remove", id: first });
    const { mails, accountEvents } = db.tables;
    const sent = await db.select({ kind: mails.kind, to: mails.recipient }).from(mails);
    const mine = sent.filter(({ to }) => to === `${user.userId}@example.com`).map(({ kind }) => kind);
    expect(mine.toSorted()).toEqual(["passkey_added", "passkey_added", "passkey_removed"]);
    const events = await db.select({ kind: accountEvents.kind, of: accountEvents.userId }).from(accountEvents);
    expect(events.filter(({ of }) => of === user.userId)).toHaveLength(3);
  });
});
