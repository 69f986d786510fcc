import { pbkdf2Sync } from "node:crypto";
import { verifyPassword } from "@gatehouse/accounts";
import { engines } from "@gatehouse/db/testing/engines";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ADMIN, type Installation, openInstallation } from "../testing/installation.ts";
import { apply } from "./apply.ts";
import { readManifest } from "./file/read-manifest.ts";

const PASSWORD = "a password of many words";
const SALT = Buffer.from("sixteen bytes ok");
const bare = (bytes: Buffer) => bytes.toString("base64").replace(/=+$/, "");
const HASH = `$pbkdf2-sha256$i=1000$${bare(SALT)}$${bare(pbkdf2Sync(PASSWORD, SALT, 1000, 32, "sha256"))}`;
const variable = () => "";

describe.each(engines)("users of gatehouse apply that choose or bring their password, on $name", (engine) => {
  let it: Installation;
  beforeEach(async () => {
    it = await openInstallation(engine);
  });
  afterEach(() => it.close());

  const applyUsers = async (...users: object[]) => {
    const applier = { author: { ...ADMIN, file: "gatehouse.json" }, variable };
    const applied = await apply(readManifest(JSON.stringify({ users }), {}, variable), applier, it.deps);
    return applied.users.map(({ status }) => status);
  };

  test("RG-08 somebody who is invited gets a mail, once, and no account before accepting it", async () => {
    const invited = { email: "invited@example.com", invited: true, role: "viewer" };
    expect([await applyUsers(invited), await applyUsers(invited)]).toEqual([["invited"], ["unchanged"]]);
    expect(it.mail.composed.map(({ kind, to }) => [kind, to])).toEqual([["invitation", invited.email]]);
    expect(await it.deps.people.findAccountByEmail(invited.email)).toBeUndefined();
  });

  test("UM-06 a user with a password hash, a proved address and a language signs in; the second time nothing changes", async () => {
    const hashed = { email: "hashed@example.com", password_hash: HASH, email_verified: true, locale: "de" };
    expect([await applyUsers(hashed), await applyUsers(hashed)]).toEqual([["created"], ["unchanged"]]);
    expect(await verifyPassword({ email: hashed.email, password: PASSWORD }, it.deps)).toMatchObject({
      email: hashed.email,
    });
    expect(await it.deps.people.findAccountByEmail(hashed.email)).toMatchObject({
      locale: "de",
      emailVerifiedAt: it.clock.now,
    });
  });
});
