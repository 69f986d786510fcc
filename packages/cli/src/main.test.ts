import { execFile, execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runHere } from "./testing/run.ts";

const PACKAGE = join(import.meta.dirname, "..");
const TSX = join(PACKAGE, "node_modules/tsx/dist/cli.mjs");

type Call = {
  dataDir?: string;
  input?: string;
  cwd?: string;
  variables?: Record<string, string>;
  run?: typeof runHere;
};

/** Runs the built command line in a process of its own. Most tests run the sources in this one. */
const inProcess: typeof runHere = (args, { env, cwd, input }) =>
  new Promise((resolve) => {
    const options = { cwd, env: { PATH: process.env["PATH"], ...env } };
    const child = execFile(
      process.execPath,
      [join(PACKAGE, "dist/main.mjs"), ...args],
      options,
      (error, stdout, stderr) => resolve({ code: typeof error?.code === "number" ? error.code : 0, stdout, stderr }),
    );
    child.stdin?.end(input);
  });

describe("the command line", () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "gatehouse-cli-"));
    execFileSync(process.execPath, [TSX, "build.ts"], { cwd: PACKAGE });
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  function gatehouse(
    args: string[],
    { dataDir = "data", input = "", cwd = PACKAGE, variables = {}, run = runHere }: Call = {},
  ) {
    const named: Record<string, string> = dataDir === "" ? {} : { GATEHOUSE_DATA_DIR: join(folder, dataDir) };
    return run(args, { env: { INIT_CWD: folder, GATEHOUSE_ENV_FILE: "off", ...named, ...variables }, cwd, input });
  }

  test("OP-11 OP-13 config says where each value comes from, and check ends with 78 for what a start would refuse", async () => {
    writeFileSync(join(folder, "settings.env"), "LOG_LEVEL=debug\n");
    writeFileSync(join(folder, "db-url"), "postgres://gatehouse:hunter2@localhost/x\n", { mode: 0o600 });
    const variables = { GATEHOUSE_ENV_FILE: join(folder, "settings.env"), GATEHOUSE_AUDIT_DAYS: "90" };
    const shown = await gatehouse(["config", "--json"], { dataDir: "no-data", variables });
    expect(shown).toMatchObject({ code: 0, stderr: "" });
    expect(JSON.parse(shown.stdout)).toEqual(
      expect.arrayContaining([
        { variable: "LOG_LEVEL", value: "debug", origin: join(folder, "settings.env") },
        { variable: "GATEHOUSE_AUDIT_DAYS", value: "90", origin: "environment" },
        { variable: "PORT", value: "3000", origin: "default" },
      ]),
    );
    expect(existsSync(join(folder, "no-data"))).toBe(false);

    const misspelled = { variables: { GATEHOUSE_ISUER: "x", DATABASE_URL_FILE: join(folder, "db-url") } };
    expect(await gatehouse(["config", "check"], misspelled)).toMatchObject({
      code: 0,
      stderr: "GATEHOUSE_ISUER is no setting. Did you mean GATEHOUSE_ISSUER?\n",
    });
    expect((await gatehouse(["config", "check", "--strict"], misspelled)).code).toBe(78);
    const wrong = await gatehouse(["config", "check"], {
      variables: { WEB_CONCURRENCY: "all", DATABASE_URL: "mysql://u:hunter2@db/x" },
    });
    expect(wrong).toMatchObject({ code: 78, stderr: expect.stringMatching(/DATABASE_URL.*WEB_CONCURRENCY/s) });
    expect(wrong.stderr).not.toContain("hunter2");
  });

  test.each([
    ["config", "check"],
    ["migrate", "status"],
    ["backup"],
    ["backup", "list"],
    ["backup", "verify"],
    ["maintenance", "status"],
    ["keys", "list"],
    ["seal", "status"],
    ["seal", "rewrap"],
    ["db", "size"],
    ["db", "check"],
    ["jobs", "list"],
    ["doctor", "db"],
  ])("gatehouse %s %s takes --json, prints JSON, and exits with 0 if all is well", async (...args) => {
    const call = { dataDir: "in-json" };
    if (!existsSync(join(folder, "in-json"))) await gatehouse(["bootstrap"], call);
    const { code, stdout, stderr } = await gatehouse([...args, "--json"], call);
    expect([code, stderr]).toEqual([0, expect.not.stringMatching(/error|failed/)]);
    expect(() => JSON.parse(stdout)).not.toThrow();
  });

  test.each([
    [["nonsense"], 2],
    [["jobs", "list", "--nonsense"], 2],
    [["move"], 2],
    [["doctor", "gate.example"], 2],
    [["jobs", "retry", "01999999-0000-7000-8000-000000000000"], 1],
    [["restore", "no-such-file"], 1],
  ])("gatehouse %j exits with %i", async (args, code) => {
    expect((await gatehouse(args, { dataDir: "in-json" })).code).toBe(code);
  });

  test("apply prints JSON and nothing else, for a path as the caller typed it or standard input", async () => {
    const text = JSON.stringify({ users: [{ email: "ada@example.com", password: "correct horse battery" }] });
    writeFileSync(join(folder, "file.json"), text);
    const first = await gatehouse(["apply", "file.json"]);
    expect(first).toMatchObject({
      code: 0,
      stderr: `Database: ${join(folder, "data/gatehouse.db")} (GATEHOUSE_DATA_DIR)\n`,
    });
    expect(JSON.parse(first.stdout)).toMatchObject({ changed: true });
    const second = await gatehouse(["apply", "-"], { input: text, run: inProcess });
    expect(second).toMatchObject({ code: 0, stderr: first.stderr });
    expect(JSON.parse(second.stdout)).toMatchObject({ changed: false });
  });

  test("CO-72 plan prints what apply would do; an approved plan runs once; pruning needs the plan and the right count", async () => {
    const call = { dataDir: "planned" };
    const application = (name: string) => ({
      name,
      environments: { staging: { client_id: name, type: "service", scopes: ["api:read"] } },
    });
    const input = (...names: string[]) => JSON.stringify({ applications: names.map(application) });
    const planOf = async (text: string) =>
      JSON.parse((await gatehouse(["plan", "-"], { ...call, input: text })).stdout);
    await gatehouse(["apply", "-"], { ...call, input: input("old") });

    const plan = await planOf(input("shop"));
    expect(plan.changes.map(({ action, kind }: { action: string; kind: string }) => [action, kind])).toEqual([
      ["create", "application"],
      ["create", "client"],
    ]);
    expect(plan.not_in_file).toEqual([{ kind: "application", name: "old" }]);
    expect(await gatehouse(["plan", "-", "--check"], { ...call, input: input("shop") })).toMatchObject({ code: 2 });
    expect(await gatehouse(["plan", "-", "--check"], { ...call, input: input("old") })).toMatchObject({ code: 0 });

    const approved = ["apply", "-", "--plan", plan.plan_id];
    const refused = { code: 1, stdout: "", stderr: expect.stringContaining("nothing was changed") };
    expect(await gatehouse([...approved, "--prune", "2"], { ...call, input: input("shop") })).toMatchObject(refused);
    expect(await gatehouse(["apply", "-", "--prune", "1"], { ...call, input: input("shop") })).toMatchObject(refused);
    const applied = JSON.parse(
      (await gatehouse([...approved, "--prune", "1"], { ...call, input: input("shop") })).stdout,
    );
    expect(applied).toMatchObject({ changed: true, removed: [{ kind: "application", name: "old" }] });
    expect(await planOf(input("shop"))).toMatchObject({
      changes: [{ action: "keep" }, { action: "keep" }],
      not_in_file: [],
    });
    expect(await gatehouse(approved, { ...call, input: input("shop") })).toMatchObject(refused);
  });

  test("errors go to stderr with exit code 1 and no stack", async () => {
    const { code, stdout, stderr } = await gatehouse(["apply", "-"], {
      input: '{"users":[{"email":"x","password":"short"}]}',
      run: inProcess,
    });
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain("users.0.email: must be an email address");
    expect(stderr).not.toMatch(/\bat .*\.ts:/);
    expect(await gatehouse(["apply", "nowhere.json"])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("cannot read"),
    });
  });

  test("an unknown field is named with its path", async () => {
    const input =
      '{"webhooks":[{"provider":"stripe","secret":["whsec_test_0123456789"],"secrets":[]}],"appliances":[]}';
    const { stderr } = await gatehouse(["apply", "-"], { input });
    expect(stderr.split("\n")).toEqual(
      expect.arrayContaining(["  webhooks.0.secret: is not a known field", "  appliances: is not a known field"]),
    );
  });

  test("user create prints a generated password once", async () => {
    const { stdout } = await gatehouse([
      "user",
      "create",
      "--email",
      "grace@example.com",
      "--name",
      "Grace",
      "--role",
      "viewer",
    ]);
    expect(JSON.parse(stdout)).toMatchObject({
      email: "grace@example.com",
      role: "viewer",
      console: expect.stringMatching(/^http:\/\/localhost:3001\/go\/usr_/),
      password: expect.stringMatching(/^[\w-]{22}$/),
    });
    const again = await gatehouse(["user", "create", "--email", "grace@example.com", "--name", "Grace"]);
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining("already exists") });
    const adopting = await gatehouse(["user", "create", "--email", "grace@example.com", "--name", "Grace", "--adopt"]);
    expect(adopting).toMatchObject({ code: 1, stderr: expect.stringContaining("already exists") });
  });

  test("bootstrap says whether it created an admin, and which existing account it did not change", async () => {
    const start = (email: string) =>
      gatehouse(["bootstrap"], { dataDir: "admins", variables: { GATEHOUSE_ADMIN_EMAIL: email } });
    expect((await start("boss@example.com")).stdout).toMatch(
      /The first admin\s+Email {5}boss@example.com\s+Password {2}\S+/,
    );
    expect((await start("second@example.com")).stdout).toMatch(/Another admin.+\s+Email {5}second@example.com/);
    expect((await start("second@example.com")).stdout).toContain(
      "second@example.com already has an account (role admin)",
    );
  });

  test("CI-10 client block, blocked and unblock: a block is listed until it is lifted, and needs exactly one subject", async () => {
    const run = (...args: string[]) => gatehouse(["client", ...args], { dataDir: "blocks" });
    const listed = async () => JSON.parse((await run("blocked")).stdout);
    await gatehouse(["bootstrap"], { dataDir: "blocks" });
    expect((await run("block", "--software-id", "spam-bot", "--reason", "spam")).code).toBe(0);
    expect(await listed()).toEqual([
      { software_id: "spam-bot", reason: "spam", blocked_at: expect.any(String), until: null },
    ]);
    expect(JSON.parse((await run("unblock", "--software-id", "spam-bot")).stdout)).toEqual({ unblocked: "spam-bot" });
    expect(await listed()).toEqual([]);
    expect(await run("block", "--software-id", "spam-bot", "--host", "spam.example")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("use exactly one of --id, --host and --software-id"),
    });
  });

  test("why says that the entry does not exist, and what the ledger keeps", async () => {
    const answer = await gatehouse(["why", "7k3m 9q2xtv"]);
    const stderr = expect.stringMatching(
      /\nThe failure ledger has no entry 7K3M9Q2XTV\. It keeps the newest 50 of each kind of failure, for 90 days\.\n$/,
    );
    expect(answer).toEqual({ code: 1, stdout: "", stderr });
  });

  test("keys rotate publishes the next key, or replaces the keys", async () => {
    const states = async (...args: string[]) => {
      const { stdout } = await gatehouse(["keys", ...args], { dataDir: "keys" });
      const listed: { algorithm: string; state: string }[] = JSON.parse(stdout);
      return listed.map(({ algorithm, state }) => `${algorithm} ${state}`).sort();
    };
    await gatehouse(["migrate"], { dataDir: "keys" });
    expect(await states("rotate", "--algorithm", "ES256")).toEqual(["ES256 current", "ES256 next"]);
    expect(await states("rotate", "--algorithm", "ES256", "--distrust")).toEqual(["ES256 current"]);
    expect(await states("list")).toEqual(["ES256 current"]);
  });

  test("OP-62 only commands that create data create the schema of an empty database; `migrate` prints what it applied", async () => {
    const asked = await gatehouse(["keys", "list"], { dataDir: "empty" });
    expect(asked).toMatchObject({
      code: 78,
      stdout: "",
      stderr: expect.stringContaining("no installation in this database yet"),
    });
    expect((await gatehouse(["keys", "list"], { dataDir: "empty" })).code).toBe(78);
    expect((await gatehouse(["migrate"], { dataDir: "empty" })).stdout).toMatch(
      /^Applied 0000_initial, .*up to date\.\n$/,
    );
    expect(await gatehouse(["migrate"], { dataDir: "empty" })).toMatchObject({
      code: 0,
      stdout: "The database is up to date.\n",
    });
    expect(await gatehouse(["keys", "list"], { dataDir: "empty" })).toMatchObject({ code: 0, stdout: "[]\n" });
  });

  test("OP-64 `migrate --dry-run` shows what it would do, tried on a copy, and `migrate status` what is missing", async () => {
    const run = (...args: string[]) => gatehouse(["migrate", ...args], { dataDir: "previewed" });
    expect(await run("status")).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/empty[\s\S]*missing +0000_initial/),
    });
    const shown = await run("--dry-run");
    expect(shown).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^0000_initial \(expand\)[\s\S]*CREATE TABLE/),
    });
    expect(shown.stdout).toMatch(/On a copy it took [\d.]+ s[\s\S]*Nothing was changed\.\n$/);
    expect(JSON.parse((await run("--dry-run", "--json")).stdout).migrations[0]).toMatchObject({ name: "0000_initial" });
    expect((await run("status")).code).toBe(1);
    await run();
    expect(await run("status")).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/has this version's schema[\s\S]*Z {2}0000_initial/),
    });
    expect(JSON.parse((await run("status", "--json")).stdout)).toMatchObject({ kind: "current", missing: [] });
    expect((await run("--dry-run")).stdout).toBe("The database is up to date.\n");
  });

  test("webhook-secret add reads the secret from standard input or a variable; list and end never show it", async () => {
    const dataDir = "webhooks";
    const run = (args: string[], input = "", variables = {}) =>
      gatehouse(["webhook-secret", ...args], { dataDir, input, variables });
    await gatehouse(["migrate"], { dataDir });
    const first = await run(["add", "stripe", "--name", "first"], "whsec_test_0123456789\n");
    const { id } = JSON.parse(first.stdout);
    await run(["add", "stripe", "--env", "NEW_SECRET"], "", { NEW_SECRET: "whsec_test_9876543210" });
    const ended = await run(["end", id, "--at", "2999-01-31T12:00:00Z"]);
    expect(JSON.parse(ended.stdout)).toMatchObject({
      id,
      name: "first",
      state: "active",
      ends_at: "2999-01-31T12:00:00.000Z",
    });
    const listed = await run(["list"]);
    // Secrets of the same second are in no particular order.
    const hints = JSON.parse(listed.stdout).map(({ hint }: { hint: string }) => hint);
    expect(new Set(hints)).toEqual(new Set(["6789", "3210"]));
    expect([first, ended, listed].map(({ stdout }) => stdout).join()).not.toContain("whsec_");
  });

  test("OP-51 OP-52 backup, backup verify, backup list and restore; progress goes to stderr", async () => {
    const run = (...args: string[]) => gatehouse(args, { dataDir: "saved" });
    await run("user", "create", "--email", "ada@example.com", "--name", "Ada");
    const made = await run("backup");
    const { file, key_id } = JSON.parse(made.stdout);
    expect(made).toMatchObject({ code: 0, stderr: expect.stringContaining("Copying") });
    expect(JSON.parse((await run("backup", "list")).stdout)).toMatchObject([{ file, key_id, state: "present" }]);
    expect(JSON.parse((await run("backup", "verify")).stdout)).toMatchObject({ file, verified: true });
    const restored = await run("restore", file);
    expect(JSON.parse(restored.stdout)).toMatchObject({ restored: file, ended: { grants: 0 } });
    expect(await run("restore", "nowhere.db")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("There is no file"),
    });
    const onPostgres = { dataDir: "saved", variables: { DATABASE_URL: "postgres://localhost:1/gatehouse" } };
    expect(await gatehouse(["backup"], onPostgres)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("pg_dump"),
    });
  });

  test("OP-79 status says what is wrong, in its exit code too, before and after the first migration", async () => {
    const run = (...args: string[]) => gatehouse(["status", ...args], { dataDir: "status" });
    const empty = await run("--json");
    expect(empty.code).toBe(1);
    expect(JSON.parse(empty.stdout)).toMatchObject({ level: "failed", items: [{ name: "database" }] });
    expect(JSON.parse(empty.stdout).items[0].sentence).toMatch(/migrate/);
    await gatehouse(["migrate"], { dataDir: "status" });
    const screen = await run();
    expect(screen.code).toBe(75); // no server has run yet, and there is no backup
    expect(screen.stdout).toMatch(/^✓ Version +Gatehouse \d/m);
    expect(screen.stdout).toMatch(/^! Backups .*gatehouse backup.* GatehouseBackupOld$/m);
  });

  test("OP-23 jobs list prints JSON; retry and drop name an unknown job, and a wrong option", async () => {
    const run = (...args: string[]) => gatehouse(["jobs", ...args], { dataDir: "jobs" });
    await gatehouse(["migrate"], { dataDir: "jobs" });
    expect(await run("list")).toMatchObject({ code: 0, stdout: "[]\n" });
    expect(await run("list", "--dead", "--queue", "logout_notice")).toMatchObject({ code: 0, stdout: "[]\n" });
    const failures = [
      await run("retry", "nothing"),
      await run("drop", "-nothing"),
      await run("list", "--limit", "many"),
    ];
    expect(failures).toMatchObject([
      { code: 1, stderr: expect.stringContaining("There is no such job") },
      { code: 1, stderr: expect.stringContaining("There is no such job") },
      { code: 1, stderr: expect.stringContaining("--limit: ") },
    ]);
  });

  test("an id that begins with a dash, as earlier versions made them, is not taken for an option", async () => {
    const id = "-hZ0q8Wm_2YtqQm0e1s9vA";
    const ended = await gatehouse(["webhook-secret", "end", id, "--last"], { dataDir: "webhooks" });
    expect(ended).toMatchObject({ code: 1, stderr: expect.stringContaining("There is no such") });
    const revoked = await gatehouse(["registration-token", "revoke", id], { dataDir: "webhooks" });
    expect(revoked).toMatchObject({ code: 1, stderr: expect.stringContaining("There is no such") });
  });

  test.each([
    ["after the id", ["some-id", "--lats"]],
    ["before the id", ["--lats", "some-id"]],
    ["after an id that begins with a dash", ["-some-id", "--lats"]],
  ])("a mistyped option %s is named, also where ids can begin with a dash", async (_, rest) => {
    for (const command of [
      ["webhook-secret", "end"],
      ["registration-token", "revoke"],
    ]) {
      const typo = await gatehouse([...command, ...rest], { dataDir: "webhooks" });
      expect(typo).toMatchObject({ code: 2, stderr: expect.stringContaining("unknown option '--lats'") });
    }
  });

  test("a second id is an error", async () => {
    const two = await gatehouse(["webhook-secret", "end", "one", "two"], { dataDir: "webhooks" });
    expect(two).toMatchObject({ code: 2, stderr: expect.stringContaining("too many arguments") });
  });

  test("every command and option is explained by --help", async () => {
    const help = async (...path: string[]) => (await gatehouse([...path, "--help"])).stdout;
    const top = await help();
    const commands = [...top.matchAll(/^ {2}([a-z][\w-]*)[ |].*$/gm)]
      .map(([, name = ""]) => name)
      .filter((name) => name !== "help");
    expect(commands.length).toBeGreaterThan(10);
    for (const name of commands)
      expect(await help(name), name).toMatch(new RegExp(`^Usage: gatehouse ${name}\\b[^\n]*\n\n[A-Z]`));
  });

  test("webhook-secret names an invalid secret or time", async () => {
    const run = (args: string[], input: string) =>
      gatehouse(["webhook-secret", ...args], { dataDir: "webhooks", input });
    const failures = [await run(["add", "stripe"], " \n"), await run(["end", "x", "--at", "tomorrow"], "")];
    expect(failures).toMatchObject([
      { code: 1, stderr: expect.stringContaining("gatehouse webhook-secret add failed:\n  secret: is empty") },
      { code: 1, stderr: expect.stringContaining("--at: must be a time") },
    ]);
  });

  test("OP-14 with another GATEHOUSE_SECRET every command exits with 78, until the secret is accepted", async () => {
    const start = (secret: string, ...args: string[]) =>
      gatehouse(args, { dataDir: "sealed", variables: { GATEHOUSE_SECRET: secret.repeat(32) } });
    await start("a", "migrate");
    await start("a", "keys", "rotate", "--algorithm", "ES256", "--now");
    const refused = [await start("b", "bootstrap"), await start("b", "keys", "list")];
    for (const { code, stderr } of refused)
      expect({ code, stderr }).toEqual({
        code: 78,
        stderr: expect.stringMatching(/another GATEHOUSE_SECRET.*ES256.*secret accept-new/),
      });
    const accepted = JSON.parse((await start("b", "secret", "accept-new")).stdout);
    expect(accepted).toMatchObject({
      accepted: true,
      cannot_be_decrypted: { signing_keys: { count: 1 }, webhook_secrets: { count: 0 } },
    });
    expect(await start("b", "keys", "list")).toMatchObject({ code: 0 });
  });

  test("OP-55 in maintenance a command that writes fails and says why, others go on; a move needs another database", async () => {
    const run = (...args: string[]) => gatehouse(args, { dataDir: "maintenance" });
    await run("migrate");
    expect(JSON.parse((await run("maintenance", "on")).stdout)).toMatchObject({ maintenance: true });
    const create = ["user", "create", "--email", "ada@example.com", "--name", "Ada", "--role", "viewer"];
    expect(await run(...create)).toMatchObject({
      code: 75,
      stderr: expect.stringMatching(/failed:\n {2}The installation is in maintenance/),
    });
    expect(await run("jobs", "list")).toMatchObject({ code: 0 });
    expect(JSON.parse((await run("maintenance", "status")).stdout)).toMatchObject({ maintenance: true });
    const place = `file:${join(folder, "maintenance", "gatehouse.db")}`;
    expect(await run("move", "--to", place)).toMatchObject({ code: 1, stderr: expect.stringContaining("in use") });
    const dry = await run("move", "--to", `file:${join(folder, "maintenance", "new.db")}`, "--dry-run");
    expect(JSON.parse(dry.stdout)).toMatchObject({ dry_run: true, tables: expect.any(Number) });
    expect(JSON.parse((await run("maintenance", "off")).stdout)).toEqual({ maintenance: false, since: null });
    expect(await run(...create)).toMatchObject({ code: 0 });
  });

  test("OP-15 seal status and rewrap work from one secret to the next, and no command runs without one that is needed", async () => {
    const [old, next] = ["o".repeat(32), "n".repeat(32)];
    const run = (variables: Record<string, string>, ...args: string[]) =>
      gatehouse(args, { dataDir: "rotated", variables });
    await run({ GATEHOUSE_SECRET: old }, "bootstrap");
    const both = { GATEHOUSE_SECRET: next, GATEHOUSE_SECRET_PREVIOUS: old };
    await run(both, "keys", "rotate", "--algorithm", "ES256", "--now");
    const refused = await run({ GATEHOUSE_SECRET: old }, "keys", "list");
    expect(refused).toMatchObject({
      code: 78,
      stderr: expect.stringMatching(/needs another secret as well.*seal rewrap/),
    });
    const status = JSON.parse((await run(both, "seal", "status")).stdout);
    expect(status.keys).toMatchObject([
      { state: "current", required: true },
      { state: "previous", required: true },
    ]);
    expect(JSON.stringify(status)).not.toMatch(/n{32}|o{32}/);
    const done = await run(both, "seal", "rewrap");
    expect(JSON.parse(done.stdout)).toMatchObject({ released: [status.keys[1].key_id], unreadable: {} });
    expect(await run({ GATEHOUSE_SECRET: next }, "keys", "list")).toMatchObject({ code: 0 });
    expect(await run({ GATEHOUSE_SECRET: old }, "keys", "list")).toMatchObject({ code: 78 });
  });

  test("console-keys prints the console's settings and keys, but not the secret", async () => {
    const { code, stdout } = await gatehouse(["console-keys"], { dataDir: "console" });
    expect(code).toBe(0);
    expect(stdout.trim().split("\n")).toEqual([
      "GATEHOUSE_ISSUER=http://localhost:3000",
      "GATEHOUSE_ADMIN_URL=http://localhost:3001",
      expect.stringMatching(/^GATEHOUSE_CONSOLE_CLIENT_SECRET=gcs_[\w-]{43}$/),
      expect.stringMatching(/^GATEHOUSE_CONSOLE_COOKIE_KEY=[\w-]{43}$/),
    ]);
    expect(stdout).not.toContain(readFileSync(join(folder, "console", "secret"), "utf8").trim());
  });

  test("three first starts at once succeed, one prints the first admin's password, and they share one secret", async () => {
    const start = () => gatehouse(["bootstrap"], { dataDir: "race", run: inProcess });
    const starts = await Promise.all([start(), start(), start()]);
    expect(starts.map(({ code, stderr }) => [code, stderr])).toEqual(
      Array(3).fill([0, expect.stringMatching(/^Database: .*\n$/)]),
    );
    expect(starts.filter(({ stdout }) => stdout.includes("admin@example.com"))).toHaveLength(1);
    expect(readFileSync(join(folder, "race", "secret"), "utf8")).toMatch(/^[\w-]{43}\n$/);
    expect(readdirSync(join(folder, "race")).filter((name) => name.startsWith(".secret"))).toEqual([]);
  });

  test("OP-35 partitions are for PostgreSQL, and for the tables that can have some", async () => {
    expect(await gatehouse(["db", "partition"], { run: inProcess })).toMatchObject({
      code: 78,
      stderr: expect.stringContaining("SQLite has no partitions"),
    });
    expect(await gatehouse(["db", "partition", "users"], { run: inProcess })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("access_tokens, authorization_codes, webhook_deliveries"),
    });
  });

  describe("without a variable that names the database", () => {
    /** A separate workspace: the default database is below the workspace's root. */
    let workspace: string;
    const place = () => join(workspace, ".data/gatehouse.db");
    const here = (args: string[], call: Call = {}) => gatehouse(args, { dataDir: "", cwd: workspace, ...call });
    const input = '{"users":[{"email":"ada@example.com","password":"correct horse battery"}]}';
    beforeAll(() => {
      workspace = mkdtempSync(join(folder, "workspace-"));
      writeFileSync(join(workspace, "pnpm-workspace.yaml"), "packages: []\n");
    });

    test("creates none without --create where nobody can be asked, and leaves nothing behind", async () => {
      const answer = await here(["apply", "-"], { input });
      expect(answer).toMatchObject({
        code: 1,
        stdout: "",
        stderr: expect.stringContaining(`Database: ${place()} (the default`),
      });
      expect(answer.stderr).toMatch(/database does not exist.*GATEHOUSE_DATA_DIR.*--create/);
      expect(existsSync(join(workspace, ".data"))).toBe(false);
    });

    test("creates one with --create, and uses it from then on", async () => {
      const { stdout } = await here(["apply", "-", "--create"], { input });
      expect(JSON.parse(stdout)).toMatchObject({ changed: true });
      expect(JSON.parse((await here(["apply", "-"], { input })).stdout)).toMatchObject({ changed: false });
    });

    test("the file .env at the root may name it; the environment wins", async () => {
      writeFileSync(join(workspace, ".env"), `GATEHOUSE_DATA_DIR=${join(workspace, "elsewhere")}\n`);
      const variables = { GATEHOUSE_ENV_FILE: "" };
      const first = await here(["apply", "-"], { input, variables });
      expect(first.stderr).toBe(`Database: ${join(workspace, "elsewhere/gatehouse.db")} (GATEHOUSE_DATA_DIR)\n`);
      const other = join(workspace, "other.db");
      const second = await here(["apply", "-"], { input, variables: { ...variables, DATABASE_URL: `file:${other}` } });
      expect(second).toMatchObject({ code: 0, stderr: `Database: ${other} (DATABASE_URL)\n` });
    });
  });

  test("the password of a PostgreSQL server is not printed", async () => {
    const variables = { DATABASE_URL: "postgres://ada:hunter2@localhost:1/gatehouse" };
    const { code, stderr } = await gatehouse(["keys", "list"], { variables });
    expect(code).toBe(1);
    expect(stderr).toContain("Database: postgres://localhost:1/gatehouse (DATABASE_URL)\n");
    expect(stderr).not.toContain("hunter2");
  });
});
