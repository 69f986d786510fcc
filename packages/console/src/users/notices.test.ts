import {
  addTotp,
  beginTotp,
  changeEmailWithLink,
  changePassword,
  connectIdentity,
  disconnectIdentity,
  type MailKind,
  openMailedLink,
  openReset,
  removeTotp,
  replaceRecoveryCodes,
  requestEmailChange,
  requestReset,
  resetPassword,
  verifySecondCode,
} from "@gatehouse/accounts";
import { codeOf } from "@gatehouse/accounts/testing";
import { sha256 } from "@gatehouse/auth";
import { changeProfile } from "@gatehouse/db/stores/accounts/profile";
import { engines } from "@gatehouse/db/testing/engines";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ADMIN, type Installation, NOON, openInstallation, signUpUnverified } from "../testing/installation.ts";
import { requireNewPassword, resetUserSecondFactors, setUserDisabled, updateUser } from "./manage-users.ts";
import { createUser } from "./users.ts";

const EMAIL = "ada@example.com";
const NEW_EMAIL = "ada@example.org";
const PASSWORD = "the old password of Ada";
const BROWSER = sha256("the browser of Ada");
const SOURCE = { userAgent: "Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0", address: "192.0.2.7" };
/** The language of the page that a request comes from. */
const locale = "de";
const REQUEST = { caller: { address: SOURCE.address }, userAgent: SOURCE.userAgent, locale };
const BY = { source: SOURCE, locale };
const IDENTITY = { provider: "corp", issuer: "https://corp.example", subject: "1", email: EMAIL };

/** The notices that an act causes: kind and recipient. */
type Notices = readonly (readonly [kind: MailKind, to: string])[];

describe.each(engines)("notices to the owner of an account, on $name", (engine) => {
  let it: Installation;
  let userId: string;
  beforeEach(async () => {
    it = await openInstallation(engine);
    ({ id: userId } = await createUser({ email: EMAIL, name: "Ada", password: PASSWORD, role: "user" }, it.deps));
  });
  afterEach(() => it.close());

  const ada = async () => (await it.deps.people.findAccount(userId)) ?? expect.fail("nobody");
  const secretIn = (kind: MailKind) => {
    const { data } = it.mail.composed.findLast((mail) => mail.kind === kind) ?? expect.fail(`no ${kind}`);
    return "link" in data && data.link !== null
      ? (new URL(data.link).searchParams.get("token") ?? "")
      : expect.fail("no link");
  };

  async function setUpApp(): Promise<string[]> {
    const owner = { ...(await ada()), actor: "here" };
    const { sealed, key } = beginTotp(owner, "Gatehouse", it.deps);
    const added = await addTotp(owner, sealed, codeOf(key, NOON), BY, it.deps);
    return (added.kind === "on" && added.codes) || expect.fail(added.kind);
  }
  async function changeAddress() {
    await requestEmailChange(await ada(), NEW_EMAIL, { ...REQUEST, browser: BROWSER }, it.deps);
    const token =
      (await openMailedLink(secretIn("email_change_confirm"), "email_change", it.deps)) ?? expect.fail("dead");
    return changeEmailWithLink(
      { account: await ada(), sessionId: "here", browser: BROWSER, confirmed: false },
      token,
      REQUEST,
      it.deps,
    );
  }
  async function reset() {
    await requestReset(
      { ...REQUEST, email: EMAIL, browser: BROWSER, continuation: { request: undefined, next: undefined } },
      it.deps,
    );
    const open =
      (await openReset({ secret: secretIn("reset_link"), browser: BROWSER }, it.deps)) ?? expect.fail("dead");
    return resetPassword(open, { password: "a new password of Ada's", recoveryCode: "", ...BY }, it.deps);
  }
  async function connect() {
    return connectIdentity(IDENTITY, await ada(), "Corp", REQUEST, it.deps);
  }

  const OWN: [string, () => Promise<unknown>, Notices][] = [
    [
      "a changed password",
      async () =>
        changePassword(
          {
            userId,
            signInEpoch: (await ada()).signInEpoch,
            sessionId: "here",
            apps: false,
            password: "a new password of Ada's",
            ...BY,
          },
          it.deps,
        ),
      [["password_changed", EMAIL]],
    ],
    ["a reset", reset, [["password_reset", EMAIL]]],
    [
      "a changed address, at the old and the new one",
      changeAddress,
      [
        ["email_change_notice", EMAIL],
        ["email_changed", EMAIL],
        ["email_changed", NEW_EMAIL],
      ],
    ],
    ["an authenticator app", setUpApp, [["totp_on", EMAIL]]],
    [
      "a removed authenticator app",
      async () => {
        await setUpApp();
        return removeTotp(await ada(), "here", BY, it.deps);
      },
      [
        ["totp_on", EMAIL],
        ["totp_off", EMAIL],
      ],
    ],
    [
      "new recovery codes",
      async () => replaceRecoveryCodes(await ada(), BY, it.deps),
      [["recovery_codes_made", EMAIL]],
    ],
    [
      "a used recovery code",
      async () => {
        const [code = ""] = await setUpApp();
        return verifySecondCode(await ada(), code, BY, it.deps);
      },
      [
        ["totp_on", EMAIL],
        ["recovery_code_used", EMAIL],
      ],
    ],
    ["a connected identity", connect, [["identity_linked", EMAIL]]],
    [
      "a disconnected identity",
      async () => {
        await connect();
        const [identity] = await it.deps.people.listIdentities(userId);
        return disconnectIdentity({ userId, id: identity?.id ?? "", sessionId: "here" }, REQUEST, it.deps);
      },
      [
        ["identity_linked", EMAIL],
        ["identity_removed", EMAIL],
      ],
    ],
  ];

  /** All but the mails that carry what somebody asked for. */
  const notices = () => it.mail.composed.filter(({ kind }) => kind !== "reset_link" && kind !== "email_change_confirm");

  test.each(OWN)(
    "SN-04 %s: the owner gets the time, the browser and the address of the request",
    async (_, act, expected) => {
      await act();
      expect(notices().map(({ kind, to }) => [kind, to])).toEqual(expected);
      for (const { data } of notices()) expect(data).toMatchObject({ at: NOON, ...SOURCE });
      // LG-03: without a saved language, that of the page.
      for (const mail of it.mail.composed) expect(mail.locale).toBe(locale);
    },
  );

  test.each(OWN)(
    "LG-03 %s is mailed in the language that the account has saved, whatever that of the page",
    async (_, act) => {
      await changeProfile(it.deps.db, { userId, locale: "fr" }, NOON);
      await act();
      expect(it.mail.composed).not.toEqual([]);
      for (const mail of it.mail.composed) expect([mail.kind, mail.locale]).toEqual([mail.kind, "fr"]);
    },
  );

  const acts: [string, () => Promise<unknown>, MailKind][] = [
    ["a new role", () => updateUser({ id: userId, role: "viewer" }, ADMIN, it.deps), "role_changed"],
    [
      "a password that an operator set",
      () => updateUser({ id: userId, password: "set by an operator" }, ADMIN, it.deps),
      "password_set",
    ],
    ["a required password", () => requireNewPassword({ id: userId }, ADMIN, it.deps), "password_required"],
    [
      "removed second factors",
      () => resetUserSecondFactors({ id: userId, reason: "lost phone" }, ADMIN, it.deps),
      "second_factors_reset",
    ],
    ["a disabled account", () => setUserDisabled({ id: userId, disabled: true }, ADMIN, it.deps), "account_disabled"],
  ];

  test.each(acts)(
    "SN-04 %s: the operator's act is mailed with the time, in the language of the account",
    async (_, act, kind) => {
      await changeProfile(it.deps.db, { userId, locale: "fr" }, NOON);
      await act();
      expect(notices()).toMatchObject([{ kind, to: EMAIL, locale: "fr", data: { at: NOON } }]);
    },
  );

  test("LG-03 an operator's act is mailed in the default language to a user who has saved none", async () => {
    await updateUser({ id: userId, role: "viewer" }, ADMIN, {
      ...it.deps,
      accounts: { ...it.deps.accounts, defaultLocale: "es" },
    });
    expect(notices()).toMatchObject([{ kind: "role_changed", locale: "es" }]);
  });

  test("SN-04 the address of an adopted account is told of its new password and role, and a new user of neither", async () => {
    const typed = { email: "stranger@example.com", name: "Somebody", password: "the long password of a stranger" };
    const { id: stranger } = await signUpUnverified(typed, it.deps);
    const adopted = {
      email: "stranger@example.com",
      name: "Ada",
      password: "set by an operator",
      role: "viewer",
      adopt: true,
    } as const;
    await createUser({ ...adopted, author: ADMIN }, it.deps);
    const to = { to: adopted.email, userId: stranger };
    expect(notices()).toMatchObject([
      { ...to, kind: "password_set", data: { at: NOON } },
      { ...to, kind: "role_changed", data: { at: NOON, role: "viewer" } },
    ]);
  });
});
