import { spawn } from "node:child_process";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ROOT, scriptOf } from "../harness/commands.ts";
import { CLIENTS, emailOf, PASSWORD } from "../harness/fixture.ts";
import { signIn } from "../harness/flow.ts";
import { type Gatehouse, startGatehouse } from "../harness/gatehouse.ts";
import { consoleToken, dataOf, query } from "../harness/trpc.ts";
import { commandsOf } from "../harness/webhooks-guide.ts";

let own: Gatehouse;
beforeAll(async () => {
  const viewer = { email: emailOf("viewer"), password: PASSWORD, name: "Ada", role: "viewer" };
  const { environment, ...client } = CLIENTS.firstParty;
  const applications = [{ name: "Console", environments: { [environment]: client } }];
  const settings = { GATEHOUSE_TRUST_PROXY: "0" }; // nothing is in front, and the doctor looks
  own = await startGatehouse({ engine: "sqlite", fixture: { users: [viewer], applications }, settings });
});
afterAll(() => own?.stop());

/** With npm's scripts written out. */
const commands = async () =>
  (await commandsOf("From nothing to a handled event"))
    .join("")
    .replaceAll("npm run gatehouse --", await scriptOf(".", "gatehouse"));

function inShell(commands: string): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve) => {
    const shell = spawn("sh", ["-e", "-c", commands], { cwd: ROOT, env: { ...process.env, ...own.env } });
    let output = "";
    shell.stdout.on("data", (chunk) => (output += chunk));
    shell.stderr.on("data", (chunk) => (output += chunk));
    shell.once("close", (code) => resolve({ code, output }));
  });
}

type Row = { eventId: string; environment: string; outcome: string; handlerState: string | null };

test("docs/webhooks.md leads from nothing to a handled event, and a repeat is handled once", async () => {
  const { code, output } = await inShell(await commands());
  expect([code, output]).toEqual([0, expect.stringContaining('"received": true')]);

  const token = await consoleToken(own.issuer, "viewer");
  const list = async () => {
    const { items } = dataOf<{ items: Row[] }>(
      await query(own.issuer, "deliveries.list", { limit: 50, provider: "stripe" }, token),
    );
    return items.filter(({ outcome, eventId }) => outcome !== "rejected" && !eventId.startsWith("probe_"));
  };
  let rows = await list();
  while (rows.some(({ handlerState }) => handlerState === "pending")) rows = await list();
  expect(rows.map(({ outcome, handlerState }) => `${outcome} ${handlerState}`).sort()).toEqual([
    "accepted handled",
    "accepted handled",
    "duplicate handled",
  ]);

  expect(new Set(rows.map(({ environment }) => environment))).toEqual(new Set(["development"]));

  const agent = await signIn(own.issuer, "viewer");
  const page = await agent.open("/subscriptions");
  expect(page.status).toBe(200);
  expect(page.text).toContain("sub_");
});
