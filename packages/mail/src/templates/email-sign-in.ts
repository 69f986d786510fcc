import type { MailKinds } from "@gatehouse/accounts";
import { button, code, type LetterContext, text } from "../letter.ts";

export const emailSignInTemplates = {
  sign_in_code: (data: MailKinds["sign_in_code"], { texts, product }: LetterContext) => ({
    subject: texts.mailSignIn.subject(product),
    blocks: [
      text(texts.mailSignIn.typeCode),
      code(data.code),
      text(texts.mailSignIn.orOpen),
      button(texts.mailSignIn.signIn, data.link),
      text(texts.mailFrame.ignore),
    ],
  }),
};
