import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { expect, test } from "vitest";
import { explainTaken, holderOf, otherPorts } from "./steps/ports.mjs";

const OTHERS = { PORT: "3100", ADMIN_PORT: "3101" };

async function listening() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  return { server, port: (server.address() as AddressInfo).port };
}

test("ports that are taken: the answer is one command with others, and what the addresses become", () => {
  const taken = ["Port 3000 is taken by process 7 (next dev)."];
  expect(explainTaken(taken, OTHERS, { npm_lifecycle_event: "dev" })).toBe(
    `Port 3000 is taken by process 7 (next dev).
  Stop that, or use other ports with this command:

    PORT=3100 ADMIN_PORT=3101 npm run dev

  The server is then http://localhost:3100 (GATEHOUSE_ISSUER), the console http://localhost:3101 (GATEHOUSE_ADMIN_URL).
  To keep them, write the settings to the file .env.`,
  );
});

test("the command changes URLs on this machine that were set, and leaves those of a proxy", () => {
  const variables = { GATEHOUSE_ISSUER: "http://127.0.0.1:3000", GATEHOUSE_ADMIN_URL: "https://console.example" };
  const said = explainTaken(["Port 3000 is taken."], OTHERS, variables);
  expect(said).toContain("PORT=3100 ADMIN_PORT=3101 GATEHOUSE_ISSUER=http://127.0.0.1:3100 npm start");
  expect(said).toContain("http://127.0.0.1:3100 (GATEHOUSE_ISSUER), the console https://console.example (");
});

test("the ports that are offered are free, and neighbours as before", async () => {
  const { server, port } = await listening();
  const others = await otherPorts({ PORT: String(port - 100), ADMIN_PORT: String(port - 99) });
  server.close();
  expect(Number(others["PORT"])).toBeGreaterThan(port);
  expect(Number(others["ADMIN_PORT"])).toBe(Number(others["PORT"]) + 1);
});

test.runIf(process.platform === "linux")("the process that has a port is named; a free port has none", async () => {
  const { server, port } = await listening();
  expect(holderOf(port)).toMatchObject({ pid: process.pid, command: expect.stringContaining("node") });
  server.close();
  await once(server, "close");
  expect(holderOf(port)).toBeUndefined();
});
