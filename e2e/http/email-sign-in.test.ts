import { createHash } from "node:crypto";
import { describe, expect, inject, test } from "vitest";
import { type Agent, newAgent } from "../harness/agent.ts";
import { CLIENTS, emailOf } from "../harness/fixture.ts";
import { authorizePath, callback } from "../harness/flow.ts";
import { openMailbox } from "../harness/mailbox.ts";
import { expectPageHeaders } from "./expectations.ts";

const issuer = inject("issuer");
const email = emailOf("email-sign-in");
const button = "Email me a code";

/** Asks for a code on the sign-in page that `from` leads to. */
async function ask(agent: Agent, address = email, from = "/sign-in") {
  const page = await agent.open(from);
  const sent = await agent.post(page, { fields: { Email: address }, button });
  return { sent, page: await agent.follow(sent) };
}
const hasSession = async (agent: Agent) => (await agent.request("/api/protected/me")).status === 200;

describe("sign-in by email", () => {
  test("ML-01 a code signs in and goes on with the authorization request", async () => {
    const mailbox = await openMailbox(issuer);
    const seen = await mailbox.to(email);
    const agent = newAgent(issuer);
    const { page } = await ask(agent, email, authorizePath(CLIENTS.web));
    expectPageHeaders(page);
    const { code } = await mailbox.next(email, "sign_in_code", seen);
    const wrong = await agent.submit(page, {
      fields: { Code: code === "00000000" ? "1" : "00000000" },
      button: "Continue",
    });
    expect([wrong.status, await hasSession(agent)]).toEqual([400, false]);
    const consent = await agent.submit(wrong, { fields: { Code: code ?? "" }, button: "Continue" });
    expect(callback(await agent.post(consent, { button: "Allow" })).params.has("code")).toBe(true);
  });

  test("ML-01 a stranger's address gets the same answer and no mail", async () => {
    const [known, unknown] = await Promise.all([
      ask(newAgent(issuer)),
      ask(newAgent(issuer), "nobody-here@example.com"),
    ]);
    const words = (text: string, address: string) => text.replaceAll(address, "…").replaceAll(/value="[^"]*"/g, "");
    const location = ({ sent }: typeof known, address: string) =>
      sent.headers.get("location")?.replace(encodeURIComponent(address), "…");
    expect(unknown.sent.status).toBe(known.sent.status);
    expect(location(unknown, "nobody-here@example.com")).toBe(location(known, email));
    expect(words(unknown.page.text, "nobody-here@example.com")).toBe(words(known.page.text, email));
    expect(await (await openMailbox(issuer)).to("nobody-here@example.com")).toEqual([]);
  });

  test("N46 N56 ML-02 a mailed link spends nothing when it is opened, and counts only in the browser that asked", async () => {
    const mailbox = await openMailbox(issuer);
    const seen = await mailbox.to(email);
    const agent = newAgent(issuer);
    await ask(agent);
    const { link } = await mailbox.next(email, "sign_in_code", seen);
    const { pathname, search } = new URL(link ?? "");

    const scanner = newAgent(issuer);
    expect((await scanner.request(pathname + search, { method: "HEAD" })).status).toBe(303);
    for (let times = 0; times < 5; times++) expect((await scanner.open(pathname + search)).status).toBe(400);
    const form = await scanner.open("/sign-in");
    const hash = createHash("sha256")
      .update(new URL(link ?? "").searchParams.get("token") ?? "")
      .digest("base64url");
    const posted = await scanner.post(form, {
      button,
      fields: { Email: email },
      override: { action: "link", link: hash },
    });
    expect([posted.status, await hasSession(scanner)]).toEqual([400, false]);

    const moved = await agent.request(pathname + search);
    expect([moved.status, moved.headers.get("location")]).toEqual([303, "/sign-in/code"]);
    const page = await agent.follow(moved);
    expect([page.status, await hasSession(agent)]).toEqual([200, false]);
    await agent.submit(page, { button: "Sign in" });
    expect(await hasSession(agent)).toBe(true);
    expect((await agent.open(pathname + search)).status).toBe(400);
  });

  test("N57 ML-03 six wrong codes, a new one, and more guesses: the tries of the day stay counted, and then nobody tries", async () => {
    const guessed = emailOf("guessed-code");
    const mailbox = await openMailbox(issuer);
    const agent = newAgent(issuer);
    const seen = await mailbox.to(guessed);
    let { page } = await ask(agent, guessed);
    seen.push(await mailbox.next(guessed, "sign_in_code", seen));
    const statuses: number[] = [];
    const guess = async (code: string) =>
      statuses.push((await agent.post(page, { fields: { Code: code }, button: "Continue" })).status);
    for (let times = 0; times < 6; times++) await guess("1");
    ({ page } = await ask(agent, guessed));
    for (let times = 0; times < 4; times++) await guess("1");
    expect(statuses).toEqual(Array.from({ length: 10 }, () => 400));

    const { code } = await mailbox.next(guessed, "sign_in_code", seen);
    await guess(code ?? "");
    expect([statuses.at(-1), await hasSession(agent)]).toEqual([429, false]);
  });
});
