import { type Deps, mintTimeOrderedId } from "@gatehouse/auth";
import type { MailComposer, MailOf } from "../mails/composer.ts";
import type { MailKind } from "../mails/kinds.ts";
import type { NewMail } from "../store/mails.ts";

/** A mail as its caller composed it. */
export type ComposedMail = MailOf<MailKind> & {
  kind: MailKind;
  deliver: boolean;
  /** Of a mail that nobody requested. */
  trusted?: boolean;
  /** Of a requested mail that counts for its owner's own browser. */
  browserId?: string | undefined;
};

/**
 * Composes mails without limits and templates, and keeps what it was given. For tests of packages below
 * `packages/mail`.
 */
export function createTestMail({
  now,
  random,
}: Pick<Deps, "now" | "random">): MailComposer & { composed: ComposedMail[] } {
  const composed: ComposedMail[] = [];
  function add(kind: MailKind, mail: MailOf<MailKind>, deliver: boolean): NewMail {
    composed.push({ ...mail, kind, deliver });
    const { to, userId = null, locale, expiresAt = null } = mail;
    return {
      id: mintTimeOrderedId({ now, random }),
      kind,
      recipient: to,
      userId,
      locale,
      payload: "sealed",
      expiresAt,
      createdAt: now(),
    };
  }
  return {
    composed,
    available: true,
    compose: (kind, mail) => add(kind, mail, true),
    composeRequested: async (kind, { caller: _, deliver, ...mail }) => ({
      ...add(kind, mail as MailOf<MailKind>, deliver),
      heldBack: false,
    }),
  };
}
