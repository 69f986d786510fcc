import type { MailKind, MailKinds } from "@gatehouse/accounts";
import type { Letter, LetterContext } from "../letter.ts";
import { emailSignInTemplates } from "./email-sign-in.ts";
import { passkeyTemplates } from "./passkeys.ts";
import { passwordTemplates } from "./passwords.ts";
import { peopleTemplates } from "./people.ts";
import { registrationTemplates } from "./registration.ts";
import { secondFactorTemplates } from "./second-factors.ts";
import { upstreamTemplates } from "./upstream.ts";

export type Template<Kind extends MailKind> = (data: MailKinds[Kind], context: LetterContext) => Letter;

/** The template of every kind. A kind without one does not compile. */
export const TEMPLATES: { [Kind in MailKind]: Template<Kind> } = {
  ...emailSignInTemplates,
  ...passkeyTemplates,
  ...registrationTemplates,
  ...upstreamTemplates,
  ...passwordTemplates,
  ...secondFactorTemplates,
  ...peopleTemplates,
};
