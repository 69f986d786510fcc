import type { Texts } from "../en/index.ts";
import * as account from "./account.ts";
import * as consent from "./consent.ts";
import * as frame from "./frame.ts";
import * as mails from "./mails.ts";
import * as passwords from "./passwords.ts";
import * as registration from "./registration.ts";
import * as security from "./security.ts";
import * as signIn from "./sign-in.ts";

export const es: Texts = {
  ...account,
  ...consent,
  ...frame,
  ...mails,
  ...passwords,
  ...registration,
  ...security,
  ...signIn,
};
