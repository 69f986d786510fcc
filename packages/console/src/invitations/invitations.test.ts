import { openInvitation } from "@gatehouse/accounts";
import { changeUser, updateUserDisabled } from "@gatehouse/db/stores/accounts/user-changes";
import { engines } from "@gatehouse/db/testing/engines";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Outbox } from "../mails/outbox.ts";
import type { Author } from "../permissions.ts";
import { type Installation, NOON, openInstallation } from "../testing/installation.ts";
import { resetSecondFactors } from "../users/security-queries.ts";
import { inviteUser, listInvitations, resendInvitation, withdrawInvitation } from "./invitations.ts";

const GRACE: Author = {
  id: "admin",
  name: "Grace",
  role: "admin",
  via: "console",
  freshSince: NOON,
  address: "192.0.2.9",
};
const ADA = { email: "ada@example.com", role: "developer" } as const;

describe.each(engines)("UM-01 invitations, on $name", (engine) => {
  let it: Installation;
  beforeEach(async () => {
    it = await openInstallation(engine);
  });
  afterEach(() => it.close());

  const secretIn = (link: string | null) =>
    new URL(link ?? expect.fail("no link")).searchParams.get("token") ?? expect.fail("no token");
  const listed = async () => (await listInvitations({ limit: 10 }, it.deps)).items;
  const adminRow = async () => {
    const { db } = it.deps;
    const { tables } = db;
    const row = (await db.select().from(tables.users)).find(({ id }) => id === "admin");
    if (!row) throw new Error("there is no admin");
    return row;
  };
  const actions = async () => {
    const { db } = it.deps;
    const { tables } = db;
    return (await db.select().from(tables.audit)).map(({ action, actorName }) => `${actorName} ${action}`);
  };

  test("an invitation is listed with its admin and recorded", async () => {
    const sent = await inviteUser(ADA, GRACE, it.deps);
    expect(await listed()).toEqual([
      {
        ...ADA,
        id: sent.id,
        createdAt: NOON,
        expiresAt: NOON + 7 * 86_400,
        acceptedAt: null,
        invitedByName: "admin",
        state: "pending",
      },
    ]);
    expect(JSON.stringify(await listed())).not.toContain("hash");
    expect(await actions()).toEqual(["Grace user.invite"]);
  });

  test("resending makes a new link and voids the earlier one; withdrawing voids it for good", async () => {
    const first = await inviteUser(ADA, GRACE, it.deps);
    const second = await resendInvitation(first.id, GRACE, it.deps);
    expect((await listed()).map(({ id }) => id)).toEqual([second.id]);
    await expect(resendInvitation(first.id, GRACE, it.deps)).rejects.toMatchObject({ kind: "not_found" });
    await withdrawInvitation(second.id, GRACE, it.deps);
    expect(await listed()).toEqual([]);
    await expect(withdrawInvitation(second.id, GRACE, it.deps)).rejects.toMatchObject({ kind: "not_found" });
    expect(await actions()).toEqual(["Grace user.invite", "Grace user.invite", "Grace user.withdraw_invitation"]);
  });

  test.each<[string, (it: Installation) => Promise<unknown>]>([
    ["demoted", (it) => changeUser(it.deps.db, { id: "admin", role: "developer" }, NOON)],
    ["disabled", (it) => updateUserDisabled(it.deps.db, { id: "admin", disabled: true }, NOON)],
    ["given a new password", (it) => changeUser(it.deps.db, { id: "admin", passwordHash: "$new" }, NOON)],
    ["without second factors since a reset", (it) => resetSecondFactors(it.deps.db, "admin", {}, NOON)],
  ])(
    "N49 RG-08 an admin who is %s has no pending invitation to a role left; those to no role stay, and so do those of others",
    async (_, lose) => {
      await it.deps.db
        .insert(it.deps.db.tables.users)
        .values({ ...(await adminRow()), id: "other", email: "other@example.com" });
      await inviteUser({ email: "mine@example.com", role: "admin" }, GRACE, it.deps);
      await inviteUser({ email: "plain@example.com", role: "user" }, GRACE, it.deps);
      await inviteUser({ email: "theirs@example.com", role: "admin" }, { ...GRACE, id: "other" }, it.deps);
      expect(await lose(it)).toBeTruthy();
      expect((await listed()).map(({ email }) => email).sort()).toEqual(["plain@example.com", "theirs@example.com"]);
      expect(await it.deps.people.findPendingInvitation("mine@example.com", NOON)).toBeUndefined();
      await changeUser(it.deps.db, { id: "admin", role: "admin" }, NOON);
      expect(await it.deps.people.findPendingInvitation("mine@example.com", NOON)).toBeUndefined();
    },
  );

  test("without mail the answer has the link, once: no list has it, and sending again makes another one", async () => {
    const deps = { ...it.deps, mail: { ...it.deps.mail, available: false } };
    const first = await inviteUser(ADA, GRACE, deps);
    const secret = secretIn(first.link);
    expect(it.mail.composed).toEqual([]);
    expect(JSON.stringify(await listed())).not.toContain(secret);
    const second = await resendInvitation(first.id, GRACE, deps);
    expect(await openInvitation(secret, it.deps)).toBeUndefined();
    expect(await openInvitation(secretIn(second.link), it.deps)).toMatchObject({ ...ADA, id: second.id });
  });

  const outboxTo = (delivery: Outbox["delivery"]): Outbox => ({
    delivery,
    burstSeconds: async () => 0,
    tryServer: async () => undefined,
    read: () => undefined,
  });

  test("with an SMTP server the link goes to the address alone, in a mail that the admin can follow", async () => {
    const sent = await inviteUser(ADA, GRACE, { ...it.deps, outbox: outboxTo("smtp") });
    expect(sent).toMatchObject({ link: null, mailId: expect.any(String) });
    expect(it.mail.composed).toMatchObject([{ kind: "invitation", to: ADA.email, expiresAt: NOON + 7 * 86_400 }]);
  });

  test("where the mail stays in the console, the admin gets the link as well: nothing is sent", async () => {
    const sent = await inviteUser(ADA, GRACE, { ...it.deps, outbox: outboxTo("mailbox") });
    expect(await openInvitation(secretIn(sent.link), it.deps)).toMatchObject({ ...ADA, id: sent.id });
    expect(it.mail.composed).toMatchObject([{ kind: "invitation", to: ADA.email }]);
  });

  test("RG-08 a link counts for seven days, to the second", async () => {
    const { link } = await inviteUser(ADA, GRACE, { ...it.deps, mail: { ...it.deps.mail, available: false } });
    it.clock.now = NOON + 7 * 86_400 - 1;
    expect(await openInvitation(secretIn(link), it.deps)).toMatchObject(ADA);
    it.clock.now += 1;
    expect(await openInvitation(secretIn(link), it.deps)).toBeUndefined();
  });

  test("an expired invitation can be sent again", async () => {
    const first = await inviteUser(ADA, GRACE, it.deps);
    it.clock.now += 8 * 86_400;
    expect(await listed()).toMatchObject([{ state: "expired" }]);
    await resendInvitation(first.id, GRACE, it.deps);
    expect(await listed()).toMatchObject([{ state: "pending" }]);
  });

  test("RG-08 nobody with an account is invited, and nothing is written", async () => {
    await expect(inviteUser({ email: "viewer@example.com", role: "admin" }, GRACE, it.deps)).rejects.toMatchObject({
      kind: "conflict",
      problems: [{ path: "email" }],
    });
    expect([await listed(), await actions()]).toEqual([[], []]);
  });
});
