// OP-85: a server with 256 file descriptors refuses connections that it has no room for, and serves all again afterwards
import { execFileSync } from "node:child_process";
import { connect, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { openFiles, servingProcesses } from "./fleet/processes.ts";
import { newSingle } from "./fleet/single.ts";
import { missingPackages, openFigures } from "./form.ts";
import { TOKEN } from "./traffic/calls.ts";
import { openClient } from "./traffic/client.ts";
import { failuresIn } from "./traffic/outcomes.ts";
import { during } from "./traffic/rate.ts";

const LIMIT = 256;
const CONNECTIONS = 600;
const RECOVERY_MS = 5_000;
const figures = openFigures("OP-85");
const missing = missingPackages({ prlimit: "util-linux" });
if (missing.length > 0) figures.skip(`install the Debian package ${missing.join(", ")}`);

test.skipIf(missing.length > 0)(
  "OP-85 with its descriptors used up it lives, and serves everybody 5 s after they are free",
  async () => {
    const single = await newSingle("sqlite");
    const { child } = await single.start();
    const client = openClient(single.issuer);
    try {
      const [pid = 0] = servingProcesses(child.pid ?? 0);
      execFileSync("prlimit", ["--pid", String(pid), `--nofile=${LIMIT}:${LIMIT}`]);
      const idle = Array.from({ length: CONNECTIONS }, () => connect(single.port, "localhost").on("error", () => {}));
      await pause(3_000);
      const most = openFiles(pid);
      const meanwhile = await client.send(TOKEN);
      idle.forEach((socket: Socket) => void socket.destroy());
      await pause(RECOVERY_MS);
      const after = await during(5, client, 50, () => TOKEN);

      figures.add({ what: "open files at the limit", value: most, limit: `≤ ${LIMIT}`, isMet: most <= LIMIT });
      figures.add({
        what: "not answered 5 s after",
        value: failuresIn(after).length,
        limit: "0",
        isMet: failuresIn(after).length === 0,
      });
      expect(child.exitCode).toBeNull();
      expect([0, 200, 503]).toContain(meanwhile.status); // refused, or served on a connection that was there
      expect(failuresIn(after)).toEqual([]);
      expect(single.server().output()).not.toContain("Gatehouse cannot start");
    } finally {
      client.close();
      await single.remove();
    }
  },
);
