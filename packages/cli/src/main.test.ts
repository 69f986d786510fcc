import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const PACKAGE = join(import.meta.dirname, "..");
const TSX = join(PACKAGE, "node_modules", "tsx", "dist", "cli.mjs");

describe("the command line", () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "gatehouse-cli-"));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  function gatehouse(args: string[], { dataDir = "data", input = "" } = {}) {
    const env = { PATH: process.env["PATH"], INIT_CWD: folder, GATEHOUSE_DATA_DIR: join(folder, dataDir) };
    return new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
      const child = execFile(process.execPath, [TSX, "src/main.ts", ...args], { cwd: PACKAGE, env }, (error, stdout, stderr) =>
        resolve({ code: typeof error?.code === "number" ? error.code : 0, stdout, stderr }),
      );
      child.stdin?.end(input);
    });
  }

  test("apply prints JSON and nothing else, for a path as the caller typed it or standard input", async () => {
    const text = JSON.stringify({ users: [{ email: "ada@example.com", password: "correct horse battery" }] });
    writeFileSync(join(folder, "file.json"), text);
    const first = await gatehouse(["apply", "file.json"]);
    expect(first).toMatchObject({ code: 0, stderr: "" });
    expect(JSON.parse(first.stdout)).toMatchObject({ changed: true });
    const second = await gatehouse(["apply", "-"], { input: text });
    expect(JSON.parse(second.stdout)).toMatchObject({ changed: false });
  });

  test("what is wrong goes to stderr with exit code 1 and no stack", async () => {
    const { code, stdout, stderr } = await gatehouse(["apply", "-"], { input: '{"users":[{"email":"x","password":"short"}]}' });
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain("users.0.email: must be an e-mail address");
    expect(stderr).not.toMatch(/\bat .*\.ts:/);
    expect(await gatehouse(["apply", "nowhere.json"])).toMatchObject({ code: 1, stderr: expect.stringContaining("cannot read") });
  });

  test("a misspelt field is named where it stands", async () => {
    const input = '{"webhooks":[{"provider":"stripe","secret":["whsec_test_0123456789"],"secrets":[]}],"appliances":[]}';
    const { stderr } = await gatehouse(["apply", "-"], { input });
    expect(stderr.split("\n")).toEqual(
      expect.arrayContaining(["  webhooks.0.secret: there is no such field", "  appliances: there is no such field"]),
    );
  });

  test("user create prints a generated password once", async () => {
    const { stdout } = await gatehouse(["user", "create", "--email", "grace@example.com", "--name", "Grace", "--role", "viewer"]);
    expect(JSON.parse(stdout)).toMatchObject({
      email: "grace@example.com",
      role: "viewer",
      password: expect.stringMatching(/^[\w-]{22}$/),
    });
    const again = await gatehouse(["user", "create", "--email", "grace@example.com", "--name", "Grace"]);
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining("exists already") });
  });

  test("keys rotate publishes the next key, or replaces those that are not to be trusted", async () => {
    const states = async (...args: string[]) => {
      const { stdout } = await gatehouse(["keys", ...args], { dataDir: "keys" });
      const listed: { algorithm: string; state: string }[] = JSON.parse(stdout);
      return listed.map(({ algorithm, state }) => `${algorithm} ${state}`).sort();
    };
    expect(await states("rotate", "--algorithm", "ES256")).toEqual(["ES256 current", "ES256 next"]);
    expect(await states("rotate", "--algorithm", "ES256", "--distrust")).toEqual(["ES256 current"]);
    expect(await states("list")).toEqual(["ES256 current"]);
  });

  test("of three first starts at once all succeed, one tells the first admin's password, and there is one secret", async () => {
    const start = () => gatehouse(["bootstrap"], { dataDir: "race" });
    const starts = await Promise.all([start(), start(), start()]);
    expect(starts.map(({ code, stderr }) => ({ code, stderr }))).toEqual(Array(3).fill({ code: 0, stderr: "" }));
    expect(starts.filter(({ stdout }) => stdout.includes("admin@example.com"))).toHaveLength(1);
    expect(readFileSync(join(folder, "race", "secret"), "utf8")).toMatch(/^[\w-]{43}\n$/);
    expect(readdirSync(join(folder, "race")).filter((name) => name.startsWith(".secret"))).toEqual([]);
  });
});
