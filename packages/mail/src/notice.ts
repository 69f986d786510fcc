import type { NoticeData } from "@gatehouse/accounts";
import { moment } from "@gatehouse/languages";
import { describeBrowser } from "@gatehouse/ui/browser";
import { button, facts, type Letter, type LetterContext, text } from "./letter.ts";

/**
 * A notice to the owner of an account: what happened, when and from where, and what to do if it was somebody else.
 * SN-04. `happened` is one sentence; `more` stands below it. Of an administrator's act, the data has neither browser
 * nor address, and the notice names none.
 */
export function notice(
  subject: string,
  happened: string,
  data: NoticeData,
  { texts, locale, issuer }: LetterContext,
  more: readonly string[] = [],
): Letter {
  const words = texts.mailFrame;
  const byAdmin = data.userAgent === null && data.address === null;
  const source = [
    [words.device, describeBrowser(data.userAgent)],
    [words.address, data.address ?? words.unknown],
  ] as const;
  return {
    subject,
    blocks: [
      text(happened),
      ...more.map(text),
      facts([words.time, moment(data.at, locale)], ...(byAdmin ? [] : source)),
      text(byAdmin ? texts.mailPeople.questions : words.notYou),
      button(words.reviewSecurity, `${issuer}/account/security`),
    ],
  };
}
