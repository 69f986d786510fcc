import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { changePassword, createBreachCheck, createPasswordRules, verifyPassword } from "@gatehouse/accounts";
import { createOutbound } from "@gatehouse/auth";
import { engines } from "@gatehouse/db/testing/engines";
import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Installation, openInstallation } from "../testing/installation.ts";
import { createUser } from "./users.ts";

const [LEAKED, ALSO_LEAKED, GOOD] = ["the old password of Ada", "a leaked password of Bob", "a new password of Ada's"];
const EMAIL = "ada@example.com";
const folder = mkdtempSync(join(tmpdir(), "gatehouse-breached-"));
const path = join(folder, "hashes.txt");
const sha1 = (password: string) => createHash("sha1").update(password).digest("hex").toUpperCase();
writeFileSync(path, `${[LEAKED, ALSO_LEAKED].map(sha1).sort().join("\n")}\n`);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.each(engines)("PW-04 passwords of breaches, on $name", (engine) => {
  let it: Installation;
  let userId: string;
  beforeEach(async () => {
    it = await openInstallation(engine);
    ({ id: userId } = await createUser({ email: EMAIL, name: "Ada", password: LEAKED, role: "user" }, it.deps));
    const { fetchBytes } = createOutbound({ allowLoopback: true });
    const isBreached = createBreachCheck(
      { kind: "file", path },
      { fetchBytes, onError: (error) => expect(error).toBeUndefined() },
    );
    it.deps.passwordRules = createPasswordRules({ names: async () => [], isBreached });
  });
  afterEach(() => it.close());

  const signIn = (password: string) => verifyPassword({ email: EMAIL, password }, it.deps);
  const mustChange = async () => (await it.deps.people.findAccount(userId))?.mustChangePassword;
  const choose = (password: string) =>
    changePassword(
      {
        userId,
        signInEpoch: 0,
        sessionId: "none",
        apps: false,
        password,
        source: { userAgent: null, address: null },
        locale: "en",
      },
      it.deps,
    );

  test("PW-04 a right one signs in and has to be replaced; a wrong one changes nothing", async () => {
    expect([await signIn(ALSO_LEAKED), await mustChange()]).toEqual([undefined, false]);
    expect([await signIn(LEAKED), await mustChange()]).toEqual([expect.objectContaining({ id: userId }), true]);
    expect([await choose(GOOD), await mustChange()]).toEqual([{ kind: "changed" }, false]);
    expect([await signIn(GOOD), await mustChange()]).toEqual([expect.objectContaining({ id: userId }), false]);
  });

  test("PW-04 one cannot be chosen", async () => {
    expect(await choose(ALSO_LEAKED)).toEqual({ kind: "refused", problem: { code: "breached" } });
    expect(await mustChange()).toBe(false);
  });
});
