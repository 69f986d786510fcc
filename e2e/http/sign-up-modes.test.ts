import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Agent, newAgent } from "../harness/agent.ts";
import { CLIENTS, fixture, PASSWORD } from "../harness/fixture.ts";
import { authorizePath, signIn } from "../harness/flow.ts";
import { FULL, type Gatehouse, startGatehouse } from "../harness/gatehouse.ts";
import { json } from "../harness/http.ts";
import { openMailbox } from "../harness/mailbox.ts";
import { consoleToken, dataOf, mutate } from "../harness/trpc.ts";

const ALL_MODES = {
  closed: { GATEHOUSE_SIGN_UP: "closed", GATEHOUSE_DELETION_GRACE_DAYS: "0" },
  invited: { GATEHOUSE_SIGN_UP: "invited", GATEHOUSE_SIGN_UP_DOMAINS: "company.example,münchen.example" },
  open: { GATEHOUSE_SIGN_UP_DOMAINS: "company.example,münchen.example", GATEHOUSE_DELETION_GRACE_DAYS: "0" },
};
const { invited, ...others } = ALL_MODES;
/** Between the other two; what differs is tested in packages/console. */
const MODES = FULL ? { ...others, invited } : others;
const fields = (Email: string) => ({ Name: "Ada", Email, Password: PASSWORD });

describe.each(Object.entries(MODES))("sign-up %s", (mode, settings) => {
  let own: Gatehouse;
  let issuer: string;
  beforeAll(async () => {
    own = await startGatehouse({ engine: "sqlite", fixture: fixture(), settings });
    issuer = own.issuer;
  });
  afterAll(() => own?.stop());

  const me = async (agent: Agent) =>
    json(await agent.request("/api/protected/me"))["user"] as { id: string; email: string; role: string };
  const isSignedIn = async (agent: Agent) => (await agent.request("/api/protected/me")).status === 200;

  test.runIf(mode !== "open")(
    "RG-01 no link leads to sign-up, its form is refused with 403, and prompt=create shows sign-in",
    async () => {
      const agent = newAgent(issuer);
      const page = await agent.open("/sign-in");
      expect(page.document.querySelectorAll("a").map((link) => link.getAttribute("href"))).not.toContainEqual(
        expect.stringContaining("/sign-up"),
      );
      expect((await agent.open("/sign-up")).url).toBe(`${issuer}/sign-in`);
      const posted = await agent.post(page, {
        button: "Sign in",
        override: { name: "Ada", email: "a@company.example", password: PASSWORD },
      });
      expect(posted.status).toBe(400);
      const csrf = page.document.querySelector("input[name=csrf]")?.getAttribute("value") ?? "";
      const headers = {
        "content-type": "application/x-www-form-urlencoded",
        origin: issuer,
        "sec-fetch-site": "same-origin",
      };
      const body = new URLSearchParams({ csrf, name: "Ada", email: "a@company.example", password: PASSWORD });
      const refused = await agent.request("/sign-up", { method: "POST", headers, body: `${body}` });
      expect([refused.status, refused.text]).toEqual([403, expect.stringContaining("Sign-up is closed")]);
      const asked = await agent.open(authorizePath(CLIENTS.web, { prompt: "create", scope: "openid" }));
      expect([new URL(asked.url).pathname, new URL(asked.url).searchParams.has("request")]).toEqual(["/sign-in", true]);
    },
  );

  test("RG-08 an invitation works, with the role of its row", async () => {
    const email = "invited@elsewhere.example";
    dataOf(await mutate(issuer, "invitations.create", { email, role: "viewer" }, await consoleToken(issuer, "admin")));
    const { link } = await (await openMailbox(issuer)).next(email, "invitation");
    const agent = newAgent(issuer);
    const page = await agent.open(link?.slice(issuer.length) ?? "");
    await agent.submit(page, { fields: { Name: "Ada", Password: PASSWORD }, button: "Accept invitation" });
    expect(await me(agent)).toMatchObject({ email, role: "viewer" });
  });

  test.runIf(mode === "open")("RG-01 EA-01 sign-up takes exact domains alone, in any spelling", async () => {
    for (const email of [
      "a@evil.example",
      "a@sub.company.example",
      "a@company.example.evil.example",
      "a@xcompany.example",
    ]) {
      const agent = newAgent(issuer);
      const page = await agent.submit(await agent.open("/sign-up"), {
        fields: fields(email),
        button: "Create account",
      });
      expect([email, page.status, await isSignedIn(agent)]).toEqual([email, 400, false]);
    }
    for (const [typed, stored] of [
      ["Ada@COMPANY.example", "ada@company.example"],
      ["ada@München.example", "ada@xn--mnchen-3ya.example"],
    ] as const) {
      const agent = newAgent(issuer);
      await agent.submit(await agent.open("/sign-up"), { fields: fields(typed), button: "Create account" });
      expect((await me(agent)).email).toBe(stored);
    }
  });

  test.runIf("GATEHOUSE_SIGN_UP_DOMAINS" in settings)("RG-01 an address changes to these domains alone", async () => {
    const agent = await signIn(issuer, "account");
    for (const email of ["a@evil.example", "a@sub.company.example"]) {
      const page = await agent.submit(await agent.open("/account/email"), {
        fields: { "New email": email },
        button: "Change email",
      });
      expect([page.status, page.text]).toEqual([400, expect.stringContaining("use an email from that domain")]);
    }
    const mailbox = await openMailbox(issuer);
    expect(await mailbox.to("a@evil.example")).toEqual([]);
    const asked = await agent.submit(await agent.open("/account/email"), {
      fields: { "New email": "new@company.example" },
      button: "Change email",
    });
    const { code } = await mailbox.next("new@company.example", "email_change_confirm");
    await agent.submit(asked, { fields: { Code: code ?? "" }, button: "Verify" });
    expect((await me(agent)).email).toBe("new@company.example");
  });

  test.runIf(mode === "open")(
    "RG-10 without a grace period the account is gone at once, and its sub never comes back",
    async () => {
      const email = "again@company.example";
      const signUp = async () => {
        const agent = newAgent(issuer);
        await agent.submit(await agent.open("/sign-up"), { fields: fields(email), button: "Create account" });
        return agent;
      };
      const first = await signUp();
      const { id } = await me(first);
      const gone = await first.submit(await first.open("/account/delete"), { button: "Delete my account" });
      expect([gone.text, await isSignedIn(first)]).toEqual([expect.stringContaining("Your account is deleted"), false]);
      const back = newAgent(issuer);
      await back.submit(await back.open("/sign-in"), {
        fields: { Email: email, Password: PASSWORD },
        button: "Sign in",
      });
      expect(await isSignedIn(back)).toBe(false);
      expect((await me(await signUp())).id).not.toBe(id);
    },
  );

  test.runIf(mode === "closed")("RG-10 the last admin stays", async () => {
    const { GATEHOUSE_ADMIN_EMAIL: first = "" } = own.env;
    const remove = async (agent: Agent) =>
      agent.submit(await agent.open("/account/delete"), { button: "Delete my account" });
    expect((await remove(await signIn(issuer, "admin"))).text).toContain("Your account is deleted");
    const last = newAgent(issuer);
    const typed = { Email: first, Password: own.env["GATEHOUSE_ADMIN_PASSWORD"] ?? "" };
    await last.submit(await last.open("/sign-in"), { fields: typed, button: "Sign in" });
    const refused = await remove(last);
    expect([refused.status, refused.text]).toEqual([409, expect.stringContaining("last administrator")]);
    expect([await isSignedIn(last), (await me(last)).email]).toEqual([true, first]);
  });
});
