import type { MailKinds } from "@gatehouse/accounts";
import { button, code, type LetterContext, text } from "../letter.ts";
import { notice } from "../notice.ts";

export const passwordTemplates = {
  reset_link: ({ link }: MailKinds["reset_link"], { texts, product }: LetterContext) => ({
    subject: texts.mailPasswords.resetSubject(product),
    blocks: [
      text(texts.mailPasswords.resetText),
      button(texts.mailPasswords.resetButton, link),
      text(texts.mailFrame.ignore),
    ],
  }),
  no_password: ({ link }: MailKinds["no_password"], { texts, product }: LetterContext) => {
    const words = texts.mailPasswords;
    const help =
      link === null ? [text(words.noPasswordHelp)] : [text(words.noPasswordRecovery), button(words.resetButton, link)];
    return {
      subject: words.noPasswordSubject(product),
      blocks: [text(words.noPasswordText), ...help, text(texts.mailFrame.ignore)],
    };
  },
  password_changed: (data: MailKinds["password_changed"], context: LetterContext) => {
    const { changedSubject, changedText } = context.texts.mailPasswords;
    return notice(changedSubject(context.product), changedText, data, context);
  },
  password_reset: (data: MailKinds["password_reset"], context: LetterContext) => {
    const { resetDoneSubject, resetDoneText } = context.texts.mailPasswords;
    return notice(resetDoneSubject(context.product), resetDoneText, data, context);
  },
  new_browser_code: (data: MailKinds["new_browser_code"], { texts }: LetterContext) => ({
    subject: texts.mailPasswords.browserSubject(data.code),
    blocks: [text(texts.mailPasswords.browserText), code(data.code), text(texts.mailFrame.ignore)],
  }),
};
