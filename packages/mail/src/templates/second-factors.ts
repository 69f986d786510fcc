import type { MailKinds } from "@gatehouse/accounts";
import type { LetterContext } from "../letter.ts";
import { notice } from "../notice.ts";

type Simple = "totp_on" | "totp_off" | "recovery_codes_made" | "new_sign_in";

const simple =
  <Kind extends Simple>(kind: Kind) =>
  (data: MailKinds[Kind], context: LetterContext) => {
    const { subject, happened } = context.texts.mailFactors[kind];
    return notice(subject(context.product), happened, data, context);
  };

export const secondFactorTemplates = {
  totp_on: simple("totp_on"),
  totp_off: simple("totp_off"),
  recovery_codes_made: simple("recovery_codes_made"),
  new_sign_in: simple("new_sign_in"),
  recovery_code_used: (data: MailKinds["recovery_code_used"], context: LetterContext) => {
    const { subject, happened, left } = context.texts.mailFactors.recovery_code_used;
    return notice(subject(context.product), happened, data, context, [left(data.left)]);
  },
};
