import * as account from "./account.ts";
import * as consent from "./consent.ts";
import * as frame from "./frame.ts";
import * as mails from "./mails.ts";
import * as passwords from "./passwords.ts";
import * as registration from "./registration.ts";
import * as security from "./security.ts";
import * as signIn from "./sign-in.ts";

/** English, the source of every other language. One file per area. */
export const en = { ...account, ...consent, ...frame, ...mails, ...passwords, ...registration, ...security, ...signIn };

/** Every text of pages and mails, by area, as the English files define it. LG-02. */
export type Texts = typeof en;
