import { pbkdf2Sync, scryptSync } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Secret, TOTP } from "otpauth";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newAgent, type Page } from "../harness/agent.ts";
import { CLIENTS, fixture } from "../harness/fixture.ts";
import { authorizePath } from "../harness/flow.ts";
import { apply, ENGINES, type Gatehouse, gatehouse, gatehouseText, startGatehouse } from "../harness/gatehouse.ts";
import { openMailbox } from "../harness/mailbox.ts";

const PASSWORD = "a password of many words";
const SALT = Buffer.from("sixteen bytes ok");
const bare = (bytes: Buffer) => bytes.toString("base64").replace(/=+$/, "");
const pbkdf2 = (digest: string, length: number) => pbkdf2Sync(PASSWORD, SALT, 5000, length, digest);
const keycloak = {
  type: "password",
  secretData: JSON.stringify({ value: pbkdf2("sha512", 64).toString("base64"), salt: SALT.toString("base64") }),
  credentialData: JSON.stringify({ hashIterations: 5000, algorithm: "pbkdf2-sha512" }),
};
const phc = (digest: string, length: number) => `$pbkdf2-${digest}$i=5000$${bare(SALT)}$${bare(pbkdf2(digest, length))}`;

/** What other systems store. The bcrypt vectors are of crypt_blowfish. */
const HASHES: [name: string, password: string, hash: unknown][] = [
  ["argon2i", PASSWORD, "$argon2i$v=19$m=1024,t=2,p=1$5/DMgpQKXCaGUT2Sh58r5g$6jLeiXBM1zCiEitaCV4gelm1dJ/hfVLngKiZ3gChAbs"],
  ["bcrypt-2a", "U*U", "$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW"],
  ["bcrypt-2y", "U*U", "$2y$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW"],
  ["scrypt", PASSWORD, `$scrypt$ln=12,r=8,p=1$${bare(SALT)}$${bare(scryptSync(PASSWORD, SALT, 32, { N: 4096, r: 8, p: 1 }))}`],
  ["pbkdf2-sha1", PASSWORD, phc("sha1", 20)],
  ["pbkdf2-sha256", PASSWORD, phc("sha256", 32)],
  ["pbkdf2-sha512", PASSWORD, phc("sha512", 64)],
  ["keycloak", PASSWORD, keycloak],
];
const COSTLY = [
  "$argon2id$v=19$m=4194304,t=2,p=1$c2FsdHNhbHRzYWx0$c2FsdHNhbHRzYWx0",
  "$2b$31$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW",
];
const TOTP_SECRET = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP";

/** Each command starts a process, which takes seconds on a busy machine. */
const CLI_MS = 120_000;

type Line = { line: number; email: string; status: string };
type Exported = { email: string; password_hash?: string };

describe.each(ENGINES)("imported users on %s", (engine) => {
  let own: Gatehouse;
  let folder: string;
  beforeAll(async () => {
    own = await startGatehouse({ engine, fixture: fixture() });
    folder = await mkdtemp(join(tmpdir(), "gatehouse-import-"));
  });
  afterAll(async () => {
    await own?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  /** Imports users; the report and the exit code. */
  async function importUsers(users: readonly object[], ...options: string[]): Promise<{ lines: Line[]; code: number }> {
    const file = join(folder, "users.jsonl");
    await writeFile(file, users.map((user) => JSON.stringify(user)).join("\n"));
    type Ended = { stdout: string; code?: number };
    const { stdout, code = 0 }: Ended = await gatehouseText(["users", "import", file, ...options], own.env).catch(
      (failed: Ended): Ended => failed,
    );
    return { lines: linesOf<Line>(stdout), code };
  }
  const exported = async (...options: string[]) =>
    linesOf<Exported>((await gatehouseText(["users", "export", ...options], own.env)).stdout);
  const linesOf = <Value>(text: string) => text.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line) as Value]));

  async function signIn(email: string, password: string): Promise<Page> {
    const agent = newAgent(own.issuer);
    return agent.submit(await agent.open("/sign-in"), { fields: { Email: email, Password: password }, button: "Sign in" });
  }
  const emailOf = (name: string) => `${name}@import.example`;
  const users = HASHES.map(([name, , password_hash]) => ({ email: emailOf(name), name, email_verified: true, password_hash }));

  test(
    "UM-06 PW-05 every kind of hash signs in, and is then replaced",
    async () => {
      const dry = await importUsers(users, "--dry-run");
      expect([dry.code, dry.lines.map(({ status }) => status)]).toEqual([0, users.map(() => "created")]);
      expect((await importUsers(users, "--dry-run")).lines).toEqual(dry.lines);
      expect((await importUsers(users)).lines.map(({ status }) => status)).toEqual(users.map(() => "created"));
      for (const [name, password] of HASHES) {
        expect([name, (await signIn(emailOf(name), `${password}x`)).status]).toEqual([name, 400]);
        expect([name, (await signIn(emailOf(name), password)).url]).toEqual([name, `${own.issuer}/account`]);
      }
      const hashes = new Map((await exported("--with-hashes")).map(({ email, password_hash }) => [email, password_hash]));
      for (const [name] of HASHES)
        expect([name, hashes.get(emailOf(name))]).toEqual([name, expect.stringMatching(/^\$argon2id\$v=19\$m=19456,/)]);
      for (const [name, password] of HASHES) expect([name, (await signIn(emailOf(name), password)).status]).toEqual([name, 200]);
      expect((await importUsers(users)).lines.map(({ status }) => status)).toEqual(users.map(() => "unchanged"));
    },
    CLI_MS,
  );

  test("UM-08 an export has hashes only on demand", async () => {
    expect((await exported()).filter((user) => Object.hasOwn(user, "password_hash"))).toEqual([]);
    expect((await exported("--with-hashes")).some(({ password_hash }) => password_hash?.startsWith("$argon2id$"))).toBe(true);
  });

  test("N74 UM-07 a hash that costs too much is refused by its line, and the others are imported", async () => {
    const bad = COSTLY.map((password_hash, at) => ({ email: emailOf(`costly${at}`), password_hash }));
    const { lines, code } = await importUsers([...bad, { email: emailOf("fine") }]);
    expect([code, lines.map(({ status }) => status)]).toEqual([1, ["refused", "refused", "created"]]);
    expect(lines[0]).toMatchObject({ line: 1, problems: [{ path: "password_hash" }] });
    expect((await exported()).filter(({ email }) => email.startsWith("costly"))).toEqual([]);
  });

  test(
    "UM-05 UM-06 an imported authenticator app is asked for, until an operator resets it with a reason",
    async () => {
      const email = emailOf("two-factors");
      const [, , password_hash] = HASHES.find(([name]) => name === "scrypt") ?? [];
      await importUsers([{ email, password_hash, totp_secret: TOTP_SECRET }]);
      const agent = newAgent(own.issuer);
      const step = await agent.submit(await agent.open("/sign-in"), { fields: { Email: email, Password: PASSWORD }, button: "Sign in" });
      expect(step.url).toBe(`${own.issuer}/sign-in/second-step`);
      const code = new TOTP({ secret: Secret.fromBase32(TOTP_SECRET) }).generate();
      expect((await agent.submit(step, { fields: { Code: code }, button: "Continue" })).url).toBe(`${own.issuer}/account`);

      await expect(gatehouse(["user", "reset-second-factors", email], own.env)).rejects.toMatchObject({
        stderr: expect.stringContaining("--reason"),
      });
      const reset = await gatehouse(["user", "reset-second-factors", email, "--reason", "lost phone"], own.env);
      expect(reset).toMatchObject({ email, second_factors: "removed" });
      expect((await agent.open("/account")).url).toMatch(/\/sign-in/);
      expect((await signIn(email, PASSWORD)).url).toBe(`${own.issuer}/account`);
      await (await openMailbox(own.issuer)).next(email, "second_factors_reset");
    },
    CLI_MS,
  );

  test(
    "`gatehouse apply` brings users, a provider, branding and levels, and changes nothing the second time",
    async () => {
      const folderOfApply = join(folder, "apply");
      const client = {
        ...CLIENTS.web,
        client_id: "levels-web",
        client_secret: `${CLIENTS.web.client_secret}-levels`,
        default_max_age: 3600,
      };
      const [, , password_hash] = HASHES.find(([name]) => name === "pbkdf2-sha256") ?? [];
      const file = {
        users: [
          { email: emailOf("invited"), invited: true, role: "viewer" },
          { email: emailOf("hashed"), password_hash, email_verified: true, locale: "de" },
        ],
        sign_in_providers: [{ id: "corp", preset: "oidc", name: "Corp", issuer: "https://corp.example", client_id: "gatehouse" }],
        applications: [
          {
            name: "Levels",
            branding: { display_name: "The level shop", colour: "#0f766e" },
            environments: {
              production: { ...client, require_acr: "urn:gatehouse:acr:mfa", default_acr_values: ["urn:gatehouse:acr:mfa"] },
            },
          },
        ],
      };
      const { environment: _, ...production } = file.applications[0]?.environments.production ?? client;
      Object.assign(file.applications[0]?.environments ?? {}, { production });
      const first = (await apply(file, folderOfApply, own.env)) as { users: { status: string }[] };
      expect(first.users.map(({ status }) => status)).toEqual(["invited", "created"]);
      const again = (await apply(file, folderOfApply, own.env)) as { users: { status: string }[] };
      expect(again.users.map(({ status }) => status)).toEqual(["unchanged", "unchanged"]);

      const agent = newAgent(own.issuer);
      const page = await agent.open(authorizePath(client));
      expect(page.text).toContain("Continue with Corp");
      expect(page.document.querySelector("header .brand")?.text.trim()).toBe("The level shop");
      const enrolment = await agent.submit(page, { fields: { Email: emailOf("hashed"), Password: PASSWORD }, button: "Sign in" });
      expect(enrolment.url).toMatch(/\/sign-in\/second-step\?/);

      const invitation = await (await openMailbox(own.issuer)).next(emailOf("invited"), "invitation");
      expect((await newAgent(own.issuer).open(invitation.link?.slice(own.issuer.length) ?? "")).text).toContain("Accept invitation");
    },
    CLI_MS,
  );
});
