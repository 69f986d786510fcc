import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { SECRET_VARIABLES } from "../../packages/runtime/src/secret-files.mjs";

const FOLDER = join(import.meta.dirname, "../../deploy/systemd");
const names = readdirSync(FOLDER);
const services = names.filter((name) => name.endsWith(".service"));
const read = (name: string) => readFileSync(join(FOLDER, name), "utf8");

/** The values of a setting, in order. */
const valuesOf = (name: string, setting: string) =>
  [...read(name).matchAll(new RegExp(`^${setting}=(.*)$`, "gm"))].map(([, value]) => value);

test("OP-06 there are units for the server, the console and a daily backup", () => {
  expect(names.toSorted()).toEqual([
    "gatehouse-admin.service",
    "gatehouse-backup.service",
    "gatehouse-backup.timer",
    "gatehouse-web.service",
  ]);
});

describe.each(services)("OP-06 %s", (name) => {
  test("OP-06 has a user of its own that exists while it runs, and its secret as a credential", () => {
    expect(valuesOf(name, "DynamicUser")).toEqual(["yes"]);
    expect(valuesOf(name, "LoadCredential")).toEqual(["secret:/etc/gatehouse/secret"]);
    expect(valuesOf(name, "Environment").join(" ")).toContain("GATEHOUSE_SECRET_FILE=%d/secret");
    for (const variable of SECRET_VARIABLES) expect(read(name)).not.toMatch(new RegExp(`\\b${variable}=`));
  });

  test("OP-06 lets V8 make code at run time: with MemoryDenyWriteExecute it would die", () => {
    expect(valuesOf(name, "MemoryDenyWriteExecute")).toEqual([]);
    expect(valuesOf(name, "SystemCallFilter")).toEqual(["@system-service", "~@privileged @resources"]);
  });
});

test.each(["gatehouse-web.service", "gatehouse-admin.service"])(
  "OP-06 %s: the main process alone gets SIGTERM, has longer than a drain takes, and is not restarted for a wrong setting",
  (name) => {
    expect(valuesOf(name, "KillMode")).toEqual(["mixed"]);
    expect(Number(valuesOf(name, "TimeoutStopSec")[0])).toBeGreaterThanOrEqual(5 + 25 + 3);
    expect(valuesOf(name, "RestartPreventExitStatus")).toEqual(["78"]);
  },
);

test.each(["gatehouse-web.service", "gatehouse-admin.service"])(
  "OP-17 %s: systemctl reload sends SIGHUP to the main process alone",
  (name) => {
    expect(valuesOf(name, "ExecReload")).toEqual(["/bin/kill -HUP $MAINPID"]);
  },
);

test("OP-06 the console's user is another one, without the folder of the data", () => {
  const [server, console] = ["gatehouse-web.service", "gatehouse-admin.service"];
  expect(valuesOf(console, "User")).not.toEqual(valuesOf(server, "User"));
  expect(valuesOf(console, "StateDirectory")).toEqual([]);
  expect(valuesOf("gatehouse-backup.service", "User")).toEqual(valuesOf(server, "User"));
});

const hasSystemd = spawnSync("systemd-analyze", ["--version"]).status === 0;
if (!hasSystemd) console.warn("The units are not analyzed here: Debian's package systemd is missing.");

describe.skipIf(!hasSystemd)("OP-06 systemd itself", () => {
  test("OP-06 has nothing to say about them", () => {
    const files = names.map((name) => join(FOLDER, name));
    const { status, stdout, stderr } = spawnSync("systemd-analyze", ["verify", ...files], { encoding: "utf8" });
    // Where Node is elsewhere, it misses the program and nothing else.
    const said = `${stdout}${stderr}`
      .split("\n")
      .filter((line) => line && !/\/usr\/bin\/node is not executable/.test(line));
    expect([said, said.length === 0 || status]).toEqual([[], true]);
  });

  test.each(services)("OP-06 rates the exposure of %s at 2.0 or less", (name) => {
    const file = join(FOLDER, name);
    const args = ["security", "--offline=true", "--threshold=20", file];
    const { status, stdout, stderr } = spawnSync("systemd-analyze", args, { encoding: "utf8" });
    expect([status, stderr]).toEqual([0, ""]);
    expect(stdout).toContain("Overall exposure level");
  });
});
