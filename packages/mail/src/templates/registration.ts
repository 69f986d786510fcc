import type { MailKinds } from "@gatehouse/accounts";
import { moment } from "@gatehouse/languages";
import { button, code, type LetterContext, text } from "../letter.ts";
import { notice } from "../notice.ts";

/** A name that a person chose, so that its direction does not reorder the sentence. CO-95. */
const isolated = (name: string) => `\u2068${name}\u2069`;

type Data<Kind extends keyof MailKinds> = MailKinds[Kind];

export const registrationTemplates = {
  sign_up_code: (
    data: Data<"sign_up_code">,
    { texts: { mailRegistration: t, mailFrame }, product }: LetterContext,
  ) => ({
    subject: t.codeSubject(product),
    blocks: [
      text(t.typeCode),
      code(data.code),
      text(t.orOpen),
      button(t.confirmAddress, data.link),
      text(mailFrame.ignore),
    ],
  }),

  sign_up_taken: (
    data: Data<"sign_up_taken">,
    { texts: { mailRegistration: t, mailFrame }, product }: LetterContext,
  ) => ({
    subject: t.takenSubject(product),
    blocks: [text(t.taken), button(t.signIn, data.link), text(mailFrame.ignore)],
  }),

  verify_email: (
    data: Data<"verify_email">,
    { texts: { mailRegistration: t, mailFrame }, product }: LetterContext,
  ) => ({
    subject: t.verifySubject(product),
    blocks: [
      text(t.typeVerifyCode),
      code(data.code),
      text(t.orOpen),
      button(t.verify, data.link),
      text(mailFrame.ignore),
    ],
  }),

  invitation: (data: Data<"invitation">, { texts: { mailRegistration: t }, product }: LetterContext) => ({
    subject: t.invitationSubject(product),
    blocks: [
      text(data.inviter === undefined ? t.invitation(product) : t.invitationBy(isolated(data.inviter), product)),
      button(t.accept, data.link),
      text(t.invitationIgnore),
    ],
  }),

  email_change_confirm: (
    data: Data<"email_change_confirm">,
    { texts: { mailRegistration: t, mailFrame }, product }: LetterContext,
  ) => ({
    subject: t.changeSubject(product),
    blocks: [
      text(t.typeChangeCode),
      code(data.code),
      text(t.changeOrOpen),
      button(t.confirmAddress, data.link),
      text(mailFrame.ignore),
    ],
  }),

  email_change_notice(data: Data<"email_change_notice">, context: LetterContext) {
    const { changeRequestedSubject, changeRequested } = context.texts.mailRegistration;
    return notice(changeRequestedSubject, changeRequested, data, context);
  },

  email_changed(data: Data<"email_changed">, context: LetterContext) {
    const t = context.texts.mailRegistration;
    const letter = notice(t.changedSubject, t.changed, data, context);
    if (data.link === null) return letter;
    // The undo replaces the way to the account's security page, which the old address no longer opens.
    const [happened, facts] = [letter.blocks.slice(0, 1), letter.blocks.filter(({ kind }) => kind === "facts")];
    return { ...letter, blocks: [...happened, ...facts, text(t.undoText), button(t.undo, data.link)] };
  },

  email_change_undone(data: Data<"email_change_undone">, context: LetterContext) {
    const { undoneSubject, undone } = context.texts.mailRegistration;
    return notice(undoneSubject, undone, data, context);
  },

  account_deletion(data: Data<"account_deletion">, context: LetterContext) {
    const t = context.texts.mailRegistration;
    if (data.deleteAfter === null) return { subject: t.deletedSubject, blocks: [text(t.deleted)] };
    const happened = t.deletion(moment(data.deleteAfter, context.locale));
    const { blocks } = notice(t.deletionSubject, happened, data, context);
    const facts = blocks.filter(({ kind }) => kind === "facts");
    return {
      subject: t.deletionSubject,
      blocks: [text(happened), ...facts, text(t.restoreText), button(t.signIn, data.link)],
    };
  },

  account_restored(data: Data<"account_restored">, context: LetterContext) {
    const { restoredSubject, restored } = context.texts.mailRegistration;
    return notice(restoredSubject, restored, data, context);
  },
};
