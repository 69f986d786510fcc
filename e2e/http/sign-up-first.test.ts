import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Agent, newAgent, type Page } from "../harness/agent.ts";
import { CLIENTS, emailOf, fixture, PASSWORD } from "../harness/fixture.ts";
import { authorizePath, callback } from "../harness/flow.ts";
import { type Gatehouse, SQLITE, startGatehouse } from "../harness/gatehouse.ts";
import { type PostOffice, startPostOffice } from "../harness/smtp.ts";
import { consoleToken, dataOf, query } from "../harness/trpc.ts";

const TYPED = "what somebody typed first";
const CHOSEN = "chosen by the owner later";

describe.each(SQLITE)("sign-up with the address proved first, over SMTP, on %s", (engine) => {
  let own: Gatehouse;
  let issuer: string;
  let post: PostOffice;
  let adminToken: string;
  beforeAll(async () => {
    post = await startPostOffice();
    own = await startGatehouse({ engine, fixture: fixture(), settings: post.settings });
    issuer = own.issuer;
    adminToken = await consoleToken(issuer, "admin");
  });
  afterAll(async () => {
    await own?.stop();
    await post?.close();
  });

  const isSignedIn = async (agent: Agent) => (await agent.request("/api/protected/me")).status === 200;
  const pathOf = (link: string) => link.slice(issuer.length);
  async function signUp(
    email: string,
    { agent = newAgent(issuer), name = "Ada", from = "/sign-up", password = TYPED } = {},
  ) {
    const fields = { Name: name, Email: email, Password: password };
    return { agent, page: await agent.submit(await agent.open(from), { fields, button: "Create account" }) };
  }
  async function enter(email: string, password: string): Promise<boolean> {
    const agent = newAgent(issuer);
    await agent.submit(await agent.open("/sign-in"), {
      fields: { Email: email, Password: password },
      button: "Sign in",
    });
    return isSignedIn(agent);
  }
  const usersNamed = async (email: string) =>
    dataOf<{ items: { email: string; emailVerifiedAt?: number | null }[] }>(
      await query(issuer, "users.list", { query: email }, adminToken),
    ).items;
  type Row = { recipient: string; kind: string; state: string; answer: string | null; attempts: number };
  const outbox = async (email: string) =>
    dataOf<{ items: Row[] }>(await query(issuer, "mails.list", {}, adminToken)).items.filter(
      ({ recipient }) => recipient === email,
    );
  const bytes = (page: Page, email: string) =>
    page.text.replaceAll(email, "…").replaceAll(/name="csrf" value="[^"]*"/g, "");

  test("RG-02 RG-03 the mailed code makes the account, signs in and goes on to the client", async () => {
    const email = "free@first.example";
    const agent = newAgent(issuer);
    const signIn = await agent.open(authorizePath(CLIENTS.web, { scope: "openid email" }));
    const toSignUp = signIn.document.querySelectorAll("a").find((link) => link.text.trim() === "Create an account");
    const { page } = await signUp(email, { agent, from: toSignUp?.getAttribute("href") ?? "" });
    expect(page.status).toBe(200);
    expect([await isSignedIn(agent), await usersNamed(email)]).toEqual([false, []]);
    expect(await enter(email, TYPED)).toBe(false);

    const { code } = await post.next(email);
    const wrong = await agent.submit(page, {
      fields: { Code: code === "00000000" ? "11111111" : "00000000" },
      button: "Verify",
    });
    expect([wrong.status, await usersNamed(email)]).toEqual([400, []]);
    const consent = await agent.submit(wrong, { fields: { Code: code }, button: "Verify" });
    const { params } = callback(await agent.post(consent, { button: "Allow" }));
    expect([params.has("code"), params.get("state")]).toEqual([true, "the-state"]);
    expect(await usersNamed(email)).toHaveLength(1);
    expect(await enter(email, TYPED)).toBe(true);
  });

  test("N42 RG-03 a taken address: the same bytes as a free one, and one mail a day to its owner", async () => {
    const [free, taken] = ["unused@first.example", emailOf("sign-in")];
    const atFree = await signUp(free);
    const before = await signUp(taken);
    const atTaken = await signUp(taken);
    const looks = ({ page }: typeof before, email: string) => [page.status, page.url, bytes(page, email)];
    for (const one of [before, atTaken]) expect(looks(one, taken)).toEqual(looks(atFree, free));
    const again = ({ agent, page }: typeof before) => agent.submit(page, { button: "Send another code" });
    expect(bytes(await again(atTaken), taken)).toBe(bytes(await again(atFree), free));
    expect((await again(before)).status).toBe(400); // replaced by the newer sign-up

    await expect
      .poll(async () => (await outbox(taken)).map(({ kind, state }) => `${kind} ${state}`).sort(), { timeout: 20_000 })
      .toEqual([...Array.from({ length: 2 }, () => "sign_up_taken dropped"), "sign_up_taken sent"]);
    const [notice, ...more] = await post.to(taken);
    expect([notice?.code, notice?.link, more]).toEqual(["", "", []]);
    expect(notice?.text).toContain(`${issuer}/sign-in`);
    expect(await enter(taken, TYPED)).toBe(false);
    expect(await enter(taken, PASSWORD)).toBe(true);
  });

  test("N43 RG-04 the link in another browser asks for a new password, and the typed one never works", async () => {
    const email = "elsewhere@first.example";
    const stranger = await signUp(email, { name: "Mallory" });
    const { link, code } = await post.next(email);
    const owner = newAgent(issuer);
    const page = await owner.open(pathOf(link));
    expect(page.text).not.toContain("Mallory");
    const short = await owner.submit(page, { fields: { Name: "Ada", Password: "short" }, button: "Create account" });
    expect([short.status, await usersNamed(email)]).toEqual([400, []]);
    await owner.submit(short, { fields: { Name: "Ada", Password: CHOSEN }, button: "Create account" });
    expect(await isSignedIn(owner)).toBe(true);

    expect((await stranger.agent.submit(stranger.page, { fields: { Code: code }, button: "Verify" })).status).toBe(400);
    expect(await isSignedIn(stranger.agent)).toBe(false);
    expect([await enter(email, TYPED), await enter(email, CHOSEN)]).toEqual([false, true]);
  });

  test("N43 RG-03 the code in another browser makes nothing", async () => {
    const email = "stolen@first.example";
    const { agent, page } = await signUp(email);
    const { code } = await post.next(email);
    const thief = await signUp("thief@first.example");
    const posted = await thief.agent.submit(thief.page, {
      fields: { Code: code },
      button: "Verify",
      override: { email },
    });
    expect([posted.status, await isSignedIn(thief.agent), await usersNamed(email)]).toEqual([400, false, []]);
    await agent.submit(page, { fields: { Code: code }, button: "Verify" });
    expect(await isSignedIn(agent)).toBe(true);
  });

  test("N44 EM-04 nothing that a stranger typed but the address reaches the mail", async () => {
    for (const [at, name] of [
      "http://evil.example",
      "<b>Evil</b> https://evil.example/x",
      "evil.example ✉",
    ].entries()) {
      const email = `named-${at}@first.example`;
      await signUp(email, { name });
      const { subject, text, html } = await post.next(email);
      const words = `${subject}${text}${html}`.replaceAll(/[\w-]{40,}/g, ""); // a token may spell it
      expect(words.toLowerCase()).not.toContain("evil");
    }
  });

  // That a mail is tried again, and how often, is held by packages/mail/src/outbox.test.ts.
  test("N76 the server says 421, 550, or dies after DATA: the answer is the same, and there is never a second account", async () => {
    const [busy, refused, cut] = ["busy@first.example", "refused@first.example", "cut@first.example"];
    post.behave({ recipient: (address) => (address === refused ? 550 : address === busy ? 421 : undefined) });
    const pages = { busy: await signUp(busy), refused: await signUp(refused) };
    const rowOf = async (email: string) => (await outbox(email))[0];
    await expect
      .poll(() => rowOf(refused), { timeout: 20_000 })
      .toMatchObject({ state: "failed", attempts: 1, answer: expect.stringContaining("550") });
    await expect
      .poll(() => rowOf(busy), { timeout: 20_000 })
      .toMatchObject({ state: "queued", answer: expect.stringContaining("421") });
    expect(bytes(pages.busy.page, busy)).toBe(bytes(pages.refused.page, refused));

    post.behave({ data: "close" });
    const broken = await signUp(cut);
    const { code } = await post.next(cut);
    post.behave({});
    await broken.agent.submit(broken.page, { fields: { Code: code }, button: "Verify" });
    expect([await isSignedIn(broken.agent), await usersNamed(cut)]).toEqual([true, [expect.anything()]]);
  });
});
