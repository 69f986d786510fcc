import { connect } from "node:net";
import { openDatabase } from "@gatehouse/db/database";
import { like } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { newAgent } from "../harness/agent.ts";
import { CLIENTS } from "../harness/fixture.ts";
import { encodeForm } from "../harness/http.ts";

// A client that resets its connection has no address by the time its request is read.
const issuer = inject("issuer");
const { hostname, port } = new URL(issuer);
/** Our server drops requests without an address. Under `next start` they share one counter. */
const COUNTS = process.env["GATEHOUSE_TEST_MOUNT"] === "next" ? 2 : 1;

let database: Awaited<ReturnType<typeof openDatabase>>;
beforeAll(async () => {
  database = await openDatabase(inject("env")["DATABASE_URL"] ?? "");
});
afterAll(() => database.close());

/** Posts a form and resets the connection as soon as the request is sent, without X-Forwarded-For. */
function postAndReset(path: string, fields: Record<string, string>, cookie = ""): Promise<void> {
  const body = encodeForm(fields);
  const head = [
    `POST ${path} HTTP/1.1`,
    `Host: ${hostname}`,
    "Content-Type: application/x-www-form-urlencoded",
    `Content-Length: ${Buffer.byteLength(body)}`,
    `Cookie: ${cookie}`,
  ];
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    socket.once("error", reject);
    socket.once("close", () => resolve());
    socket.write(`${head.join("\r\n")}\r\n\r\n${body}`, () => socket.resetAndDestroy());
  });
}

/**
 * Signs up from another address over a connection that stays open. By then the server has read the earlier requests.
 */
async function signUp(email: string, address: string): Promise<void> {
  const agent = newAgent(issuer);
  const fields = { Name: "Last", Email: email, Password: "a long enough password" };
  const headers = { "x-forwarded-for": address };
  expect((await agent.post(await agent.open("/sign-up"), { fields, button: "Create account", headers })).status).toBe(
    303,
  );
}

const registered = async (pattern: string) => {
  const { db } = database;
  const { tables } = db;
  return (await db.select().from(tables.users).where(like(tables.users.email, pattern))).length;
};

describe("limits apply to clients that reset the connection, SE-07", () => {
  test("AB-05 at most thirty sign-ups an hour succeed", async () => {
    const agent = newAgent(issuer);
    const page = await agent.open("/sign-up");
    const csrf = page.document.querySelector("input[name=csrf]")?.getAttribute("value") ?? "";
    const cookie = [...agent.cookies].map(([name, value]) => `${name}=${value}`).join("; ");

    const fields = (at: number) => ({
      csrf,
      name: "Reset",
      email: `reset-${at}@example.com`,
      password: "a long enough password",
    });
    await Promise.all(Array.from({ length: 120 }, (_, at) => postAndReset("/sign-up", fields(at), cookie)));
    for (let last = 0; last < 4; last++) await signUp(`after-reset-${last}@example.com`, `198.51.100.${last}`);
    expect(await registered("reset-%")).toBeLessThanOrEqual(30 * COUNTS);
  });

  test("DF-11 at most three hundred device flows start in ten minutes", async () => {
    const { db } = database;
    const { tables } = db;
    const started = async () => (await db.select({ hash: tables.deviceCodes.hash }).from(tables.deviceCodes)).length;
    const before = await started();
    for (let batch = 0; batch < 10; batch++) {
      await Promise.all(
        Array.from({ length: 70 }, () =>
          postAndReset("/device_authorization", { client_id: CLIENTS.device.client_id }),
        ),
      );
    }
    await signUp("after-devices@example.com", "198.51.100.9");
    expect((await started()) - before).toBeLessThanOrEqual(300 * COUNTS);
  });
});
