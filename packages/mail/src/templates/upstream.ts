import type { MailKinds } from "@gatehouse/accounts";
import type { LetterContext } from "../letter.ts";
import { notice } from "../notice.ts";

export const upstreamTemplates = {
  identity_linked: (data: MailKinds["identity_linked"], context: LetterContext) => {
    const { linkedSubject, linked } = context.texts.mailUpstream;
    return notice(linkedSubject(data.provider), linked(data.provider, context.product), data, context);
  },
  identity_removed: (data: MailKinds["identity_removed"], context: LetterContext) => {
    const { removedSubject, removed } = context.texts.mailUpstream;
    return notice(removedSubject(data.provider), removed(data.provider, context.product), data, context);
  },
};
