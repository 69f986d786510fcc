import { type Database, openDatabase } from "@gatehouse/db/database";
import { count } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { type Agent, newAgent, type Page } from "../harness/agent.ts";
import { emailOf, fixture, PASSWORD } from "../harness/fixture.ts";
import { signIn } from "../harness/flow.ts";
import { type Gatehouse, POSTGRES, startGatehouse } from "../harness/gatehouse.ts";
import { openMailbox } from "../harness/mailbox.ts";

type Tables = Database["db"]["tables"];
type Request = (email: string, agent: Agent, headers: Record<string, string>) => Promise<Page>;

/**
 * What tells somebody who types an address whether there is an account. The addresses have the same length, as have
 * their answers.
 */
const REQUESTS: [string, Request][] = [
  [
    "POST /sign-in with a wrong password",
    async (Email, agent, headers) =>
      agent.post(await agent.open("/sign-in"), {
        fields: { Email, Password: "a wrong password" },
        button: "Sign in",
        headers,
      }),
  ],
  [
    "POST /forgot-password",
    async (Email, agent, headers) =>
      agent.post(await agent.open("/forgot-password"), { fields: { Email }, button: "Send reset link", headers }),
  ],
  [
    "Email me a code",
    async (Email, agent, headers) =>
      agent.post(await agent.open("/sign-in"), { fields: { Email }, button: "Email me a code", headers }),
  ],
  [
    "the page after 'Email me a code', and a wrong code",
    async (Email, agent, headers) => {
      const page = await agent.submit(await agent.open("/sign-in"), {
        fields: { Email },
        button: "Email me a code",
        headers,
      });
      return agent.post(page, { fields: { Code: "00000000" }, button: "Continue", headers });
    },
  ],
  [
    "POST /sign-up, where addresses are proved first",
    async (Email, agent, headers) => {
      const fields = { Name: "Ada", Email, Password: "four words of one stranger" };
      return agent.post(await agent.open("/sign-up"), { fields, button: "Create account", headers });
    },
  ],
  [
    "a change of the address",
    async (email, agent, headers) => {
      await signIn(agent.origin, "account", agent);
      return agent.post(await agent.open("/account/email"), {
        fields: { "New email": email },
        button: "Change email",
        headers,
      });
    },
  ],
];

/** What differs in every answer: the time, the id of the request, and values that are bound to the browser or sealed. */
function neutral({ status, headers, setCookies, text }: Page, email: string) {
  const mask = (value: string) =>
    [email, encodeURIComponent(email)]
      .reduce((masked, one) => masked.replaceAll(one, "…"), value)
      .replaceAll(/(name="[^"]*" |id="[^"]*" )?value="[^"]*"/g, "$1value")
      .replaceAll(/challenge&quot;:&quot;[\w-]+/g, "challenge…");
  const kept = [...headers].filter(
    ([name]) => !["date", "set-cookie", "content-length", "gatehouse-error-id", "x-request-id"].includes(name),
  );
  return {
    status,
    headers: kept.map(([name, value]) => [name, mask(value)]),
    cookies: setCookies.map(attributes),
    body: mask(text),
  };
}
const attributes = (line: string) => line.replace(/=[^;]*/, "=…");

describe.each(POSTGRES)("N72 known and unknown addresses, AB-04, on %s", (engine) => {
  let own: Gatehouse;
  let database: Database;
  beforeAll(async () => {
    const people = REQUESTS.map((_, at) => ({ email: known(at), password: PASSWORD, name: "Ada" }));
    own = await startGatehouse({
      engine,
      fixture: fixture(),
      more: { users: people },
      settings: { GATEHOUSE_EMAIL_VERIFICATION: "first" },
    });
    await signIn(own.issuer, "account");
    // The row that counts all mails exists from the first one on
    await REQUESTS[1]?.[1]("account@example.com", newAgent(own.issuer), {});
    database = await openDatabase(own.env["DATABASE_URL"] ?? "");
  });
  afterAll(async () => {
    await database?.close();
    await own?.stop();
  });

  const known = (at: number) => `known.${at}@enumeration.example`;
  const unknown = (at: number) => `other.${at}@enumeration.example`;

  /** Rows that an answer wrote before it was sent. Jobs are not among them: workers delete them. */
  async function rows(): Promise<Record<string, number>> {
    const tables = [
      "users",
      "sessions",
      "mailedTokens",
      "mails",
      "rateLimits",
      "accountEvents",
      "refusals",
    ] as const satisfies (keyof Tables)[];
    const counts = tables.map(async (name) => {
      const [row] = await database.db.select({ rows: count() }).from(database.db.tables[name] as Tables["users"]);
      return [name, row?.rows ?? 0] as const;
    });
    return Object.fromEntries(await Promise.all(counts));
  }

  test.each(REQUESTS.map(([name, request], at) => ({ name, request, at })))(
    "N72 $name",
    async ({ name, request, at }) => {
      const ask = async (email: string, from: string) => {
        const before = await rows();
        const answer = neutral(await request(email, newAgent(own.issuer), { "x-forwarded-for": from }), email);
        const after = await rows();
        return {
          answer,
          written: Object.fromEntries(
            Object.entries(after).map(([table, held]) => [table, held - (before[table] ?? 0)]),
          ),
        };
      };
      const real = await ask(known(at), `198.51.100.${2 * at}`);
      const invented = await ask(unknown(at), `198.51.100.${2 * at + 1}`);
      expect(invented.answer).toEqual(real.answer);
      // Both changes of the address are of one user, and the second one replaces the first.
      if (!name.startsWith("a change")) expect(invented.written).toEqual(real.written);
    },
  );
});

describe("N73 one mailbox under many requests, AB-07", () => {
  const issuer = inject("issuer");
  const ADDRESSES = [emailOf("bombed"), emailOf("b.o.m.bed"), emailOf("bombed+tag")];

  test("N73 of twelve resets, with tags and dots, at most five are mailed, the pages are alike, and the newest mail still works", async () => {
    const mailbox = await openMailbox(issuer);
    const bodies = new Set<string>();
    for (let request = 0; request < 12; request++) {
      const Email = ADDRESSES[request % 3] ?? "";
      const agent = newAgent(issuer);
      const headers = { "x-forwarded-for": `203.0.113.${request}` }; // one exit node each
      const page = await agent.post(await agent.open("/forgot-password"), {
        fields: { Email },
        button: "Send reset link",
        headers,
      });
      bodies.add(JSON.stringify(neutral(page, Email)));
    }
    expect(bodies.size).toBe(1);
    const { link } = await mailbox.next(emailOf("bombed"), "reset_link");
    const mails = (await Promise.all(ADDRESSES.map((address) => mailbox.to(address)))).flat();
    expect(mails.length).toBeLessThanOrEqual(5);
    const page = await newAgent(issuer).open(link?.slice(issuer.length) ?? "");
    expect([page.status, page.text]).toEqual([200, expect.stringContaining("Set password")]);
  });
});
