import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newAgent, type Page } from "../harness/agent.ts";
import { emailOf, fixture, PASSWORD } from "../harness/fixture.ts";
import { signIn } from "../harness/flow.ts";
import { FULL, type Gatehouse, SQLITE, startGatehouse, startWeb } from "../harness/gatehouse.ts";
import { encodeForm, send } from "../harness/http.ts";
import { freePort, type Running } from "../harness/processes.ts";

const ATTEMPTS = FULL ? 1000 : 200;
/** Without a bound, a hash takes 19 MiB while it runs, so all at once would need far more. */
const MOST_MIB = 1024;
const REQUESTS = FULL ? 200 : 60;
const ROUNDS = 4;

describe.each(SQLITE)("guessing passwords on %s", (engine) => {
  let own: Gatehouse;
  let second: Running;
  let origins: string[];
  beforeAll(async () => {
    own = await startGatehouse({ engine, fixture: fixture() });
    const port = await freePort();
    second = await startWeb(own.env, port);
    origins = [own.issuer, `http://localhost:${port}`];
  });
  afterAll(async () => {
    await second?.stop();
    await own?.stop();
  });

  /** The form of the sign-in page, as a function that posts it. */
  async function signInForm(): Promise<
    (origin: string, email: string, from: string) => Promise<{ status: number; retryAfter: string | null }>
  > {
    const agent = newAgent(own.issuer);
    const page: Page = await agent.open("/sign-in");
    const csrf = page.document.querySelector("form[action='/sign-in'] input[name=csrf]")?.getAttribute("value") ?? "";
    const cookie = [...agent.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    return async (origin, email, from) => {
      const headers = {
        "content-type": "application/x-www-form-urlencoded",
        origin: own.issuer,
        "sec-fetch-site": "same-origin",
        cookie,
        "x-forwarded-for": from,
      };
      const body = encodeForm({ csrf, email, password: "a wrong password" });
      const { status, headers: answered } = await send(origin, "/sign-in", { method: "POST", headers, body });
      return { status, retryAfter: answered.get("retry-after") };
    };
  }

  const peakMiB = ({ child }: Running) =>
    Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))?.[1] ?? Number.NaN) / 1024;

  test("N71 of many parallel wrong passwords over two processes at most ten are judged per account, and memory stays bounded", async () => {
    const accounts = [emailOf("races"), "invented@example.com"];
    const post = await signInForm();
    const answers = await Promise.all(
      Array.from({ length: ATTEMPTS }, async (_, at) => {
        const account = accounts[at % 2] ?? "";
        const from = `10.${at % 250}.${Math.floor(at / 250)}.7`; // one exit node each
        return { account, ...(await post(origins[Math.floor(at / 2) % 2] ?? "", account, from)) };
      }),
    );
    for (const account of accounts) {
      const judged = answers.filter((answer) => answer.account === account && answer.status === 400);
      expect(judged.length, account).toBeGreaterThan(0);
      expect(judged.length, account).toBeLessThanOrEqual(10);
    }
    const others = answers.filter(({ status }) => status !== 400);
    expect(
      [...new Set(others.map(({ status }) => status))].filter((status) => status !== 429 && status !== 503),
    ).toEqual([]);
    expect(others.every(({ retryAfter }) => Number(retryAfter) > 0)).toBe(true);
    expect(peakMiB(second)).toBeLessThan(MOST_MIB);

    // N70: the owner's browser, which has signed in before, has a count of its own.
    expect((await post(own.issuer, emailOf("races"), "198.51.100.9")).status).toBe(429);
  });

  test("N70 an owner in a known browser signs in while strangers have used up the tries of the account", async () => {
    const owner = await signIn(own.issuer, "refresh");
    const post = await signInForm();
    for (let guess = 0; guess < 11; guess++) await post(own.issuer, emailOf("refresh"), `10.9.9.${guess}`);
    expect((await post(own.issuer, emailOf("refresh"), "198.51.100.10")).status).toBe(429);
    const fields = { Email: emailOf("refresh"), Password: PASSWORD };
    const done = await owner.post(await owner.open("/sign-in"), { fields, button: "Sign in" });
    expect([done.status, done.headers.get("location")]).toEqual([303, "/account"]);
  });
});

describe("N72 the time of an answer, AB-04", () => {
  let own: Gatehouse;
  beforeAll(async () => {
    const users = Array.from({ length: REQUESTS }, (_, at) => ({
      email: addressOf("known", at),
      password: PASSWORD,
      name: "Ada",
    }));
    own = await startGatehouse({ engine: "sqlite", fixture: { users }, settings: { GATEHOUSE_MAIL_BURST: "10000" } });
  });
  afterAll(() => own?.stop());

  const addressOf = (kind: "known" | "other", at: number) => `${kind}.${at}@timed.example`;
  const median = (times: number[]) =>
    times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)] ?? Number.NaN;

  test.each([
    ["POST /sign-in with a wrong password", "/sign-in", { password: "a wrong password" }, 400],
    ["POST /forgot-password", "/forgot-password", {}, 200],
    ["Email me a code", "/sign-in/code", { action: "send" }, 303],
  ])(
    "N72 %s takes as long for an account as for none: medians of interleaved requests within 10 %%",
    async (_, path, fields, status) => {
      // One account for each request, from an address of its own, so that no limit is reached.
      const agent = newAgent(own.issuer);
      const page = await agent.open("/sign-in");
      const csrf = page.document.querySelector("input[name=csrf]")?.getAttribute("value") ?? "";
      const cookie = [...agent.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
      const headers = {
        "content-type": "application/x-www-form-urlencoded",
        origin: own.issuer,
        "sec-fetch-site": "same-origin",
        cookie,
      };
      const medians = async (round: number) => {
        const times = { known: [] as number[], other: [] as number[] };
        for (let request = 0; request < REQUESTS; request++) {
          const order = request % 2 === 0 ? (["known", "other"] as const) : (["other", "known"] as const);
          for (const kind of order) {
            const email = addressOf(kind, request);
            const from = `10.${round * 10 + (kind === "known" ? 1 : 2)}.${path.length}.${request}`;
            const body = encodeForm({ csrf, email, ...fields });
            const began = performance.now();
            const answer = await send(own.issuer, path, {
              method: "POST",
              headers: { ...headers, "x-forwarded-for": from },
              body,
            });
            times[kind].push(performance.now() - began);
            expect(answer.status).toBe(status);
          }
        }
        return [median(times.known), median(times.other)] as const;
      };
      // A difference that the server makes is there each time; one that a busy machine makes is not.
      const seen: string[] = [];
      for (let round = 0; round < ROUNDS; round++) {
        const [known, other] = await medians(round);
        if (Math.abs(known - other) / Math.max(known, other) < 0.1) return;
        seen.push(`${known} ms for accounts, ${other} ms for none`);
      }
      expect(seen, "the answers differ in every round").toEqual([]);
    },
  );
});
