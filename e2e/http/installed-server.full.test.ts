import { expect, test } from "vitest";
import { gatehouseIn, installed, packServer, signInToConsole } from "../harness/packaged.ts";
import { freePort, untilReady } from "../harness/processes.ts";

test("PK-16 PK-17 npm installs it without running a script; then server and console run, and an admin signs in", async () => {
  const packages = await packServer();
  try {
    const project = await installed(packages);
    const [port, adminPort] = [await freePort(), await freePort()];
    const env = { PORT: String(port), ADMIN_PORT: String(adminPort), LOG_LEVEL: "warn" };
    const at = { issuer: `http://localhost:${port}`, console: `http://localhost:${adminPort}` };
    const both = gatehouseIn(project, ["all"], env);
    try {
      await untilReady(`${at.issuer}/healthz`, both);
      await untilReady(`${at.console}/healthz`, both);
      const [, email = "", password = ""] = /Email +(\S+)\s+Password +(\S+)/.exec(both.output()) ?? [];
      const { agent } = await signInToConsole(at, { email, password });
      const page = await agent.open("/users");
      expect(page.status).toBe(200);
      expect(page.text).toContain("admin@example.com");
    } finally {
      await both.stop();
    }
    expect(both.child.exitCode).toBe(0);
  } finally {
    await packages.remove();
  }
});
