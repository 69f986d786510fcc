import { scryptSync } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Secret, TOTP } from "otpauth";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newAgent } from "../harness/agent.ts";
import { gatehouse, gatehouseText, POSTGRES, sharedGatehouse } from "../harness/gatehouse.ts";
import { openMailbox } from "../harness/mailbox.ts";

// Every kind of hash is imported by packages/console/src/users/import/hashes.test.ts; what else a line may have, by
// import.test.ts there.

const PASSWORD = "a password of many words";
const SALT = Buffer.from("sixteen bytes ok");
const bare = (bytes: Buffer) => bytes.toString("base64").replace(/=+$/, "");
const SCRYPT = `$scrypt$ln=12,r=8,p=1$${bare(SALT)}$${bare(scryptSync(PASSWORD, SALT, 32, { N: 4096, r: 8, p: 1 }))}`;
const COSTLY = "$argon2id$v=19$m=4194304,t=2,p=1$c2FsdHNhbHRzYWx0$c2FsdHNhbHRzYWx0";
const TOTP_SECRET = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP";

type Ended = { stdout: string; code?: number };
const linesOf = <Value>(text: string) =>
  text.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line) as Value]));

describe.each(POSTGRES)("imported users on %s", (engine) => {
  let issuer: string;
  let env: Record<string, string>;
  let folder: string;
  beforeAll(async () => {
    ({ issuer, env } = await sharedGatehouse(engine));
    folder = await mkdtemp(join(tmpdir(), "gatehouse-import-"));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  /** Imports users; the report and the exit code. */
  async function importUsers(users: readonly object[], ...options: string[]) {
    const file = join(folder, "users.jsonl");
    await writeFile(file, users.map((user) => JSON.stringify(user)).join("\n"));
    const ended: Ended = await gatehouseText(["users", "import", file, ...options], env).catch(
      (failed: Ended) => failed,
    );
    return { lines: linesOf<{ line: number; email: string; status: string }>(ended.stdout), code: ended.code ?? 0 };
  }
  async function signIn(email: string) {
    const agent = newAgent(issuer);
    const page = await agent.submit(await agent.open("/sign-in"), {
      fields: { Email: email, Password: PASSWORD },
      button: "Sign in",
    });
    return { agent, page };
  }

  test("N74 UM-05 UM-06 UM-07 UM-08 a costly hash is refused by its line; an imported user signs in with the old password and app, until an operator resets the app", async () => {
    const [costly, email] = ["costly@import.example", "two-factors@import.example"];
    const users = [
      { email: costly, password_hash: COSTLY },
      { email, name: "Ada", email_verified: true, password_hash: SCRYPT, totp_secret: TOTP_SECRET },
    ];
    expect((await importUsers(users, "--dry-run")).lines.map(({ status }) => status)).toEqual(["refused", "created"]);
    const { lines, code } = await importUsers(users);
    expect([code, lines]).toEqual([
      1,
      [
        { line: 1, email: costly, status: "refused", problems: [expect.objectContaining({ path: "password_hash" })] },
        expect.objectContaining({ line: 2, email, status: "created" }),
      ],
    ]);

    const { agent, page: step } = await signIn(email);
    expect(step.url).toBe(`${issuer}/sign-in/second-step`);
    const totp = new TOTP({ secret: Secret.fromBase32(TOTP_SECRET) }).generate();
    expect((await agent.submit(step, { fields: { Code: totp }, button: "Continue" })).url).toBe(`${issuer}/account`);

    const { stdout } = await gatehouseText(["users", "export", "--with-hashes"], env);
    const exported = linesOf<{ email: string; password_hash?: string }>(stdout).filter((user) =>
      user.email.endsWith("@import.example"),
    );
    // The first sign-in replaced the hash.
    expect(exported).toMatchObject([{ email, password_hash: expect.stringMatching(/^\$argon2id\$v=19\$m=19456,/) }]);

    const reset = await gatehouse(["user", "reset-second-factors", email, "--reason", "lost phone"], env);
    expect(reset).toMatchObject({ email, second_factors: "removed" });
    expect((await agent.open("/account")).url).toMatch(/\/sign-in/);
    expect((await signIn(email)).page.url).toBe(`${issuer}/account`);
    await (await openMailbox(issuer)).next(email, "second_factors_reset");
  });
});
