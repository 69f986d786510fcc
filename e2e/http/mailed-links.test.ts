import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Agent, newAgent, type Page } from "../harness/agent.ts";
import { type Clock, openClock } from "../harness/clock.ts";
import { emailOf, fixture, PASSWORD } from "../harness/fixture.ts";
import { FULL, type Gatehouse, POSTGRES, startGatehouse } from "../harness/gatehouse.ts";
import { type Mail, openMailbox } from "../harness/mailbox.ts";
import { consoleToken, dataOf, mutate, query as queryOf } from "../harness/trpc.ts";

const NEW = "chosen on the page of the link";
const VERIFY = "Verify your email address";

/** One kind of mailed link: how a browser gets one, and what using it looks like. */
type Kind = {
  mail: string;
  /** Causes the mail to `email`; returns the recipient if it is another address. */
  ask(agent: Agent, email: string): Promise<string | undefined>;
  use: { fields?: Record<string, string>; button: string };
  done(page: Page): boolean;
  /** The link's page without its token. */
  path: string;
  /** Whether it works in the asking browser alone. */
  here?: boolean;
};

describe.each(POSTGRES)("mailed links on %s", (engine) => {
  let own: Gatehouse;
  let issuer: string;
  let clock: Clock;
  let adminToken: string;
  let mailbox: Awaited<ReturnType<typeof openMailbox>>;
  const kinds: Record<string, Kind> = {
    sign_up: {
      mail: "sign_up_code",
      path: "/verify-email",
      here: true,
      async ask(agent, email) {
        const fields = { Name: "Ada", Email: email, Password: PASSWORD };
        await agent.submit(await agent.open("/sign-up"), { fields, button: "Create account" });
        return undefined;
      },
      use: { button: "Verify" },
      done: (page) => page.status === 303,
    },
    verify: {
      mail: "verify_email",
      path: "/verify-email",
      here: true,
      async ask(agent, email) {
        await enter(agent, email);
        await agent.submit(await agent.open("/account"), { button: VERIFY });
        return undefined;
      },
      use: { button: "Verify" },
      done: (page) => page.headers.get("location") === "/account?notice=email_verified",
    },
    reset: {
      mail: "reset_link",
      path: "/reset-password",
      async ask(agent, email) {
        await agent.submit(await agent.open("/forgot-password"), {
          fields: { Email: email },
          button: "Send reset link",
        });
        return undefined;
      },
      use: { fields: { "New password": NEW }, button: "Set password" },
      done: (page) => page.status === 303,
    },
    email_change: {
      mail: "email_change_confirm",
      path: "/verify-email",
      here: true,
      async ask(agent, email) {
        await enter(agent, email);
        const to = `new-${email}`;
        await agent.submit(await agent.open("/account/email"), { fields: { "New email": to }, button: "Change email" });
        return to;
      },
      use: { button: "Change email" },
      done: (page) => page.headers.get("location") === "/account?notice=email_changed",
    },
    email_undo: {
      mail: "email_changed",
      path: "/verify-email",
      async ask(agent, email) {
        const to = await kinds["email_change"]?.ask(agent, email);
        const { link } = await mailbox.next(to ?? "", "email_change_confirm");
        const changed = await agent.submit(await agent.open(pathOf(link)), { button: "Change email" });
        expect(changed.text).toContain(to);
        return undefined;
      },
      use: { button: "Undo the change" },
      done: (page) => page.text.includes("The change is undone"),
    },
    invitation: {
      mail: "invitation",
      path: "/invitation",
      async ask(_, email) {
        dataOf(await mutate(issuer, "invitations.create", { email, role: "viewer" }, adminToken));
        return undefined;
      },
      use: { fields: { Name: "Ada", Password: NEW }, button: "Accept invitation" },
      done: (page) => page.status === 303,
    },
    sign_in: {
      mail: "sign_in_code",
      path: "/sign-in/code",
      here: true,
      async ask(agent, email) {
        await agent.submit(await agent.open("/sign-in"), { fields: { Email: email }, button: "Email me a code" });
        return undefined;
      },
      use: { button: "Sign in" },
      done: (page) => page.status === 303,
    },
  };
  const WITH_ACCOUNT = Object.keys(kinds).filter((name) => !["sign_up", "invitation"].includes(name));
  const emailFor = (name: string, part: "used" | "old") => `${name.replace("_", "-")}-${part}@links.example`;

  beforeAll(async () => {
    const people = WITH_ACCOUNT.flatMap((name) => [emailFor(name, "used"), emailFor(name, "old")]);
    const users = people.map((email) => ({
      email,
      password: PASSWORD,
      name: "Ada",
      role: "user",
      email_verified: !email.startsWith("verify"),
    }));
    own = await startGatehouse({
      engine,
      fixture: fixture(),
      more: { users },
      settings: { GATEHOUSE_EMAIL_VERIFICATION: "first" },
    });
    issuer = own.issuer;
    [mailbox, clock, adminToken] = await Promise.all([
      openMailbox(issuer),
      openClock(own.env),
      consoleToken(issuer, "admin"),
    ]);
  });
  afterAll(async () => {
    await clock?.close();
    await own?.stop();
  });

  const pathOf = (link: string | null) => link?.slice(issuer.length) ?? "";
  async function enter(agent: Agent, email: string): Promise<void> {
    await agent.submit(await agent.open("/sign-in"), {
      fields: { Email: email, Password: PASSWORD },
      button: "Sign in",
    });
    expect((await agent.request("/api/protected/me")).status).toBe(200);
  }
  /** A browser with the same cookies, so that answers to one do not reach the other. */
  function twinOf(agent: Agent): Agent {
    const twin = newAgent(issuer);
    for (const [name, value] of agent.cookies) twin.cookies.set(name, value);
    return twin;
  }
  async function linkOf(kind: Kind, email: string, seen: Mail[] = [], agent = newAgent(issuer)) {
    const recipient = (await kind.ask(agent, email)) ?? email;
    const mail = await mailbox.next(recipient, kind.mail, seen);
    return { agent: kind.here ? agent : newAgent(issuer), mail, recipient, link: pathOf(mail.link) };
  }

  test.each(Object.keys(kinds))(
    "N46 N47 FP-02 %s: opening it changes nothing, and of four uses at once one succeeds",
    async (name) => {
      const kind = kinds[name] as Kind;
      const { agent, link } = await linkOf(kind, emailFor(name, "used"));
      for (const browser of [newAgent(issuer), agent]) {
        expect((await browser.request(link, { method: "HEAD" })).status).toBe(303);
        for (let times = 0; times < 2; times++) {
          const moved = await browser.request(link);
          expect([moved.status, moved.headers.get("location")]).toEqual([303, kind.path]);
          await browser.follow(moved);
        }
      }

      const form = await agent.open(link);
      expect(form.status, form.text).toBe(200);
      const answers = await Promise.all(Array.from({ length: 4 }, () => twinOf(agent).post(form, kind.use)));
      expect(answers.filter(kind.done)).toHaveLength(1);
      for (const answer of answers.filter((one) => !kind.done(one)))
        expect([303, 400, 409, 429, 503]).toContain(answer.status);
      const again = await twinOf(agent).post(form, kind.use);
      expect(kind.done(again)).toBe(false);
      expect((await newAgent(issuer).open(link)).status).toBe(400);
    },
  );

  test.each(FULL ? Object.keys(kinds).filter((name) => name !== "email_undo") : ["reset", "invitation"])(
    "N47 %s: the older of two is dead, and so is an expired one",
    async (name) => {
      const kind = kinds[name] as Kind;
      const email = emailFor(name, "old");
      const older = await linkOf(kind, email);
      const open = await older.agent.open(older.link);
      // What works in one browser alone is replaced by that browser alone.
      const newer = await linkOf(kind, email, [older.mail], name === "sign_in" ? older.agent : undefined);
      expect(kind.done(await twinOf(older.agent).post(open, kind.use))).toBe(false);
      expect((await older.agent.open(older.link)).status).toBe(400);

      const form = await newer.agent.open(newer.link);
      expect(form.status).toBe(200);
      await clock.expireMails(newer.recipient);
      const late = await newer.agent.post(form, kind.use);
      expect([late.status, kind.done(late)]).toEqual([400, false]);
      expect((await newer.agent.open(newer.link)).status).toBe(400);
    },
  );

  test("N78 RG-08 an invitation opened by somebody who is signed in binds nothing, and a role in the form is ignored", async () => {
    const email = "invited@links.example";
    const { link } = await linkOf(kinds["invitation"] as Kind, email);
    const other = newAgent(issuer);
    const form = await other.open(link);
    await enter(other, emailOf("account"));
    const told = await other.open(link);
    expect([told.status, told.text]).toEqual([200, expect.stringContaining("This invitation is for another account")]);
    const { use } = kinds["invitation"] as Kind;
    expect((await other.post(form, use)).status).toBe(409);
    const usersOf = async (query: string) =>
      dataOf<{ items: { email: string; role: string }[] }>(await queryOf(issuer, "users.list", { query }, adminToken))
        .items;
    expect(await usersOf(email)).toEqual([]);
    expect(await usersOf(emailOf("account"))).toMatchObject([{ role: "user" }]);

    const owner = newAgent(issuer);
    const stranger = { role: "admin", email: "mallory@links.example", invitation: "x" };
    await owner.submit(await owner.open(link), { ...use, override: stranger });
    expect((await owner.open("/account")).text).toContain(email);
    expect(await usersOf(email)).toMatchObject([{ email, role: "viewer" }]);
    expect(await usersOf(stranger.email)).toEqual([]);
  });
});
