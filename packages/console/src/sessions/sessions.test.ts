import { startSession } from "@gatehouse/auth";
import { passwordSignIn } from "@gatehouse/auth/testing";
import { findUser } from "@gatehouse/db/stores/accounts/users";
import { engines } from "@gatehouse/db/testing/engines";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { holderOfTicket, sealExportTicket } from "../export-ticket.ts";
import { type Installation, openInstallation, seedApplication } from "../testing/installation.ts";
import { operator } from "../testing/try-runs.ts";
import { listSessions, revokeSession } from "./sessions.ts";

describe.each(engines)("the caller's own session on $name", (engine) => {
  let it: Installation;
  let clientId: string;
  beforeEach(async () => {
    it = await openInstallation(engine);
    ({ clientId } = await seedApplication(it.deps));
  });
  afterEach(() => it.close());

  async function signIn(previousHash?: Parameters<typeof startSession>[0]["previousHash"]) {
    const user = await findUser(it.deps.db, "admin");
    if (!user) throw new Error("there is no admin");
    const proof = passwordSignIn(it.deps);
    const { session } = await startSession({ user, previousHash, userAgent: null, address: null, ...proof }, it.deps);
    const grant = {
      id: session.id,
      clientId,
      userId: "admin",
      scope: "openid",
      sessionId: session.id,
      accessEpoch: user.accessEpoch,
    };
    await it.deps.store.saveGrant({ ...grant, createdAt: it.clock.now });
    return session;
  }

  test("SN-01 CO-85 a token from before the user signed in again belongs to the session that replaced its own", async () => {
    const first = await signIn();
    const other = await signIn();
    const author = { ...operator("admin", it.clock.now), via: "console" as const, sessionId: first.id };
    const ticket = await sealExportTicket("audit export", {}, author, it.deps);
    const second = await signIn(first.hash);
    const current = async (calledAs: string) =>
      (await listSessions("admin", calledAs, it.deps)).filter((one) => one.current);
    for (const calledAs of [first.id, second.id]) expect(await current(calledAs)).toMatchObject([{ id: second.id }]);
    expect(await current(other.id)).toMatchObject([{ id: other.id }]);
    expect(await current("guess")).toEqual([]);
    expect(await holderOfTicket("audit export", ticket, it.deps)).toMatchObject({ user: { id: "admin" } });

    await revokeSession({ userId: "admin", sessionId: second.id }, it.deps);
    expect(await holderOfTicket("audit export", ticket, it.deps)).toBeUndefined();
  });
});
