import { deleteAccount, requestReset, signUp } from "@gatehouse/accounts";
import { engines } from "@gatehouse/db/testing";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Installation, openInstallation, signUpUnverified } from "../testing/installation.ts";

const EMAIL = "ada@example.com";
const PASSWORD = "a password of Ada's own";
const REQUEST = { caller: { address: null }, userAgent: null, locale: "en" };
const CONTINUATION = { request: undefined, next: undefined };

describe.each(engines)("accounts from the sign-up page, on $name", (engine) => {
  let it: Installation;
  beforeEach(async () => {
    it = await openInstallation(engine);
  });
  afterEach(() => it.close());

  const stranger = () => signUpUnverified({ email: EMAIL, name: "Mallory", password: "a password of Mallory" }, it.deps);

  test("RG-05 RG-10 a deletion of an account that nobody proved frees the address at once", async () => {
    expect(await deleteAccount(await stranger(), REQUEST, it.deps)).toEqual({ kind: "deleted", deleteAfter: null });
    expect(it.mail.composed.at(-1)).toMatchObject({ kind: "account_deletion", data: { deleteAfter: null } });
    await requestReset({ ...REQUEST, email: EMAIL, browser: null, continuation: CONTINUATION }, it.deps);
    expect(it.mail.composed.at(-1)).toMatchObject({ deliver: false });
    const typed = { name: "Ada", email: EMAIL, password: PASSWORD };
    const owner = await signUp(typed, { ...REQUEST, browser: null, continuation: CONTINUATION }, it.deps);
    expect(owner).toMatchObject({ kind: "created", person: { name: "Ada", deleteAfter: null } });
  });

  test("RG-10 a verified account can be restored for seven days", async () => {
    const person = { ...(await stranger()), emailVerifiedAt: it.clock.now };
    expect(await deleteAccount(person, REQUEST, it.deps)).toEqual({ kind: "deleted", deleteAfter: it.clock.now + 7 * 86_400 });
    expect(await it.deps.people.findPerson(person.id)).toMatchObject({ deleteAfter: it.clock.now + 7 * 86_400 });
  });
});
