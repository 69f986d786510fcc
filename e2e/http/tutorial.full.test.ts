import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ROOT } from "../harness/gatehouse.ts";
import { statesOf } from "../harness/misbehaving-handlers.ts";
import { type Started, startBoth } from "../harness/npm-start.ts";
import { commandsOf } from "../harness/webhooks-guide.ts";

// The first five minutes as a newcomer has them: nothing is installed, built or set. Its time is printed, and judged by
// nobody here. The short form, against a running server, is webhooks-guide.test.ts.

const TYPE = "customer.subscription.updated";
const UNTIL_BUILT = { timeout: 900_000, interval: 200 };

let folder: string;
let started: Started | undefined;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "gatehouse-tutorial-"));
});
afterAll(async () => {
  if (started !== undefined) {
    const ended = once(started.child, "exit");
    started.child.kill("SIGTERM");
    await ended;
  }
  await rm(folder, { recursive: true, force: true });
});

test("docs/webhooks.md leads from an empty folder to a handled event", async () => {
  const begun = Date.now();
  const clone = join(folder, "gatehouse");
  await promisify(execFile)("git", ["clone", "--quiet", ROOT, clone]);
  const variables = { GATEHOUSE_DATA_DIR: undefined, DATABASE_URL: undefined, CI: "true" };
  started = await startBoth("npm", variables, clone, UNTIL_BUILT);
  const running = Date.now();

  const [create = "", send = ""] = await commandsOf("From nothing to a handled event");
  // On the usual ports, which may be taken here, the commands need no address.
  const env = { ...process.env, ...variables, GATEHOUSE_ISSUER: `http://localhost:${started.web}` };
  const { stdout } = await promisify(execFile)("sh", ["-e", "-c", create + send], { cwd: clone, env });
  expect(stdout).toContain('"received": true');
  const database = `file:${join(clone, ".data/gatehouse.db")}`;
  await expect.poll(() => statesOf(database, [TYPE]), { timeout: 60_000, interval: 50 }).toEqual(["handled"]);

  const seconds = (from: number, to: number) => `${Math.round((to - from) / 1000)} s`;
  const until = { running: seconds(begun, running), handled: seconds(begun, Date.now()) };
  process.stdout.write(
    `From an empty folder to a handled event: ${until.handled}, of which ${until.running} until the server ran.\n`,
  );
}, 1_200_000);
