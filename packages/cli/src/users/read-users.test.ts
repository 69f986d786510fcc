import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readUsers } from "./read-users.ts";

describe("UM-06 the files that users are imported from", () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "gatehouse-users-"));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  async function read(format: "csv" | "jsonl", content: string) {
    const file = join(folder, `users.${format}`);
    writeFileSync(file, content);
    const lines = [];
    for await (const line of readUsers(file, format)) lines.push(line);
    return lines;
  }

  test("JSON Lines: each line is read alone, so a broken one holds up no other", async () => {
    const lines = await read(
      "jsonl",
      `\uFEFF{"email":"a@example.com"}\r\n\n{"email":\n"text"\n{"email":"b@example.com"}`,
    );
    expect(lines).toEqual([
      { line: 1, value: { email: "a@example.com" } },
      { line: 3, problem: "is not JSON" },
      { line: 4, value: "text" },
      { line: 5, value: { email: "b@example.com" } },
    ]);
  });

  test("JSON Lines: a line of a megabyte is refused without being kept in memory", async () => {
    const lines = await read("jsonl", `{"email":"${"a".repeat(1024 * 1024)}"}\n{"email":"b@example.com"}\n`);
    expect(lines).toEqual([
      { line: 1, problem: "is longer than 65536 characters" },
      { line: 2, value: { email: "b@example.com" } },
    ]);
  });

  test("CSV: empty cells are left out, booleans, times and a Keycloak credential are read", async () => {
    const lines = await read(
      "csv",
      `email,name,email_verified,created_at,password_hash\na@example.com,"Ada, Countess",TRUE,1577836800,"{""secretData"":{}}"\nb@example.com,,,,$2b$10$x\n`,
    );
    expect(lines.map((line) => "value" in line && line.value)).toEqual([
      {
        email: "a@example.com",
        name: "Ada, Countess",
        email_verified: true,
        created_at: 1_577_836_800,
        password_hash: { secretData: {} },
      },
      { email: "b@example.com", password_hash: "$2b$10$x" },
    ]);
  });

  test("CSV with a row of another length, and a file that does not exist, are errors that say so", async () => {
    await expect(read("csv", "email,name\na@example.com\n")).rejects.toMatchObject({
      problems: [{ message: expect.stringContaining("CSV") }],
    });
    const missing = readUsers(join(folder, "nowhere.jsonl"), "jsonl").next();
    await expect(missing).rejects.toMatchObject({ problems: [{ message: expect.stringContaining("ENOENT") }] });
  });
});
