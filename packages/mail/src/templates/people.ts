import type { MailKinds } from "@gatehouse/accounts";
import { moment } from "@gatehouse/languages";
import { button, facts, type Letter, type LetterContext, text } from "../letter.ts";

/** A notice of what an administrator did. The account's own user did not cause it, so it names no device. SN-04. */
function adminNotice(
  subject: string,
  sentences: readonly string[],
  at: number,
  { texts, locale, issuer }: LetterContext,
): Letter {
  return {
    subject,
    blocks: [
      ...sentences.map(text),
      facts([texts.mailFrame.time, moment(at, locale)]),
      text(texts.mailPeople.questions),
      button(texts.mailFrame.reviewSecurity, `${issuer}/account/security`),
    ],
  };
}

export const peopleTemplates = {
  role_changed(data: MailKinds["role_changed"], context: LetterContext) {
    const { roleSubject, roleText, roles } = context.texts.mailPeople;
    return adminNotice(roleSubject(context.product), [roleText(roles[data.role])], data.at, context);
  },
  account_disabled(data: MailKinds["account_disabled"], context: LetterContext) {
    const { disabledSubject, disabledText } = context.texts.mailPeople;
    return adminNotice(disabledSubject(context.product), [disabledText], data.at, context);
  },
  second_factors_reset(data: MailKinds["second_factors_reset"], context: LetterContext) {
    const { factorsSubject, factorsText } = context.texts.mailPeople;
    return adminNotice(factorsSubject(context.product), [factorsText], data.at, context);
  },
  password_required(data: MailKinds["password_required"], context: LetterContext) {
    const { passwordSubject, passwordText } = context.texts.mailPeople;
    return adminNotice(passwordSubject(context.product), [passwordText], data.at, context);
  },
  test_mail(data: MailKinds["test_mail"], { texts, locale, product, issuer }: LetterContext): Letter {
    const { testSubject, testText } = texts.mailPeople;
    return {
      subject: testSubject(product),
      blocks: [
        text(testText(product)),
        facts([texts.mailFrame.time, moment(data.at, locale)]),
        button(texts.mailFrame.reviewSecurity, `${issuer}/account/security`), // as the mails have that it stands for
      ],
    };
  },
  password_set(data: MailKinds["password_set"], context: LetterContext) {
    const { setSubject, setText, firstSubject, firstText } = context.texts.mailPeople;
    const [subject, sentence] = data.isFirst ? [firstSubject, firstText] : [setSubject, setText];
    return adminNotice(subject(context.product), [sentence], data.at, context);
  },
};
