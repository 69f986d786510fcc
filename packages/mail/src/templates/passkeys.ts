import type { NoticeData } from "@gatehouse/accounts";
import type { LetterContext } from "../letter.ts";
import { notice } from "../notice.ts";

export const passkeyTemplates = {
  passkey_added: (data: NoticeData, context: LetterContext) =>
    notice(context.texts.mailPasskeys.addedSubject, context.texts.mailPasskeys.added, data, context),
  passkey_removed: (data: NoticeData, context: LetterContext) =>
    notice(context.texts.mailPasskeys.removedSubject, context.texts.mailPasskeys.removed, data, context),
  passkey_cloned: (data: NoticeData, context: LetterContext) =>
    notice(context.texts.mailPasskeys.clonedSubject, context.texts.mailPasskeys.cloned, data, context, [
      context.texts.mailPasskeys.clonedAdvice,
    ]),
};
