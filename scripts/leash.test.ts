import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { expect, test } from "vitest";

const LEASH = join(import.meta.dirname, "leash.mjs");
const SERVER = `require("node:http").createServer().listen(0, "127.0.0.1", () => console.log(process.pid))`;

test("a server ends when whoever started it is gone without having stopped it", async () => {
  const leash = spawn(process.execPath, [LEASH, process.execPath, "-e", SERVER], { stdio: ["pipe", "pipe", "inherit"], detached: true });
  const [started] = await once(leash.stdout, "data");
  const server = Number(started);
  expect(() => process.kill(server, 0)).not.toThrow();

  leash.stdin.destroy();
  await once(leash, "exit");
  expect(() => process.kill(server, 0)).toThrow();
});

test("it ends as its command ends", async () => {
  const leash = spawn(process.execPath, [LEASH, process.execPath, "-e", "process.exit(7)"], { stdio: "pipe" });
  expect(await once(leash, "exit")).toEqual([7, null]);
});
