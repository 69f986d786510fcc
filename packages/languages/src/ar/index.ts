import type { Texts } from "../texts.ts";
import { account } from "./account.ts";
import { activity } from "./activity.ts";
import { apps } from "./apps.ts";
import { confirm } from "./confirm.ts";
import { consent } from "./consent.ts";
import { deletion } from "./deletion.ts";
import { device } from "./device.ts";
import { email } from "./email.ts";
import { emailSignIn } from "./email-sign-in.ts";
import { errors } from "./errors.ts";
import { home } from "./home.ts";
import { invitation } from "./invitation.ts";
import { layout } from "./layout.ts";
import { logout } from "./logout.ts";
import { mailFactors } from "./mail-factors.ts";
import { mailFrame } from "./mail-frame.ts";
import { mailPasskeys } from "./mail-passkeys.ts";
import { mailPasswords } from "./mail-passwords.ts";
import { mailPeople } from "./mail-people.ts";
import { mailRegistration } from "./mail-registration.ts";
import { mailSignIn } from "./mail-sign-in.ts";
import { mailUpstream } from "./mail-upstream.ts";
import { newBrowser } from "./new-browser.ts";
import { passkeys } from "./passkeys.ts";
import { password } from "./password.ts";
import { reset } from "./reset.ts";
import { scopes } from "./scopes.ts";
import { secondStep } from "./second-step.ts";
import { security } from "./security.ts";
import { sessions } from "./sessions.ts";
import { signIn } from "./sign-in.ts";
import { signUp } from "./sign-up.ts";
import { upstream } from "./upstream.ts";
import { verifyEmail } from "./verify-email.ts";

export const ar: Texts = {
  account,
  activity,
  apps,
  confirm,
  consent,
  deletion,
  device,
  email,
  emailSignIn,
  errors,
  home,
  invitation,
  layout,
  logout,
  mailFactors,
  mailFrame,
  mailPasskeys,
  mailPasswords,
  mailPeople,
  mailRegistration,
  mailSignIn,
  mailUpstream,
  newBrowser,
  passkeys,
  password,
  reset,
  scopes,
  secondStep,
  security,
  sessions,
  signIn,
  signUp,
  upstream,
  verifyEmail,
};
