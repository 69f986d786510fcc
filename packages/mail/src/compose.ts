import { type MailComposer, type MailKind, type MailOf, type NewMail, TooManyMails } from "@gatehouse/accounts";
import { mintTimeOrderedId, type Random, type Seal } from "@gatehouse/auth";
import type { MailLimits } from "./limits.ts";
import { assertHeaderText, type Payload, sealPayload } from "./render.ts";

export type ComposerDeps = {
  now: () => number;
  random: Random;
  seal: Seal;
  limits: MailLimits;
  /** Whether there is an SMTP server, or mails are read in the console. Asked at each use. */
  isAvailable: () => boolean;
};

/** An address has 254 octets at most. RFC 5321 §4.5.3.1.3, EA-01. */
const MAX_ADDRESS_BYTES = 254;

/** Composes mails: seals what their template needs. They are written when they are sent. */
export function createMailComposer(deps: ComposerDeps): MailComposer {
  function newMail(kind: MailKind, mail: MailOf<MailKind>, requested: Pick<Payload, "limited" | "drop"> = {}): NewMail {
    assertRecipient(mail.to);
    const id = mintTimeOrderedId(deps);
    const payload: Payload = {
      data: mail.data,
      ...(mail.token && { token: mail.token }),
      ...(mail.brand && { brand: mail.brand }),
      ...requested,
    };
    return {
      id,
      kind,
      recipient: mail.to,
      userId: mail.userId ?? null,
      locale: mail.locale,
      payload: sealPayload(id, payload, deps.seal),
      expiresAt: mail.expiresAt ?? null,
      createdAt: deps.now(),
    };
  }

  return {
    get available() {
      return deps.isAvailable();
    },
    compose: (kind, { trusted, ...mail }) => newMail(kind, mail as MailOf<MailKind>, trusted ? {} : { limited: true }),

    async composeRequested(kind, { caller, deliver, browserId, ...mail }) {
      const seconds = await deps.limits.countCaller(caller);
      if (seconds > 0) throw new TooManyMails(seconds);
      const heldBack = await deps.limits.holdBack(mail.to, { deliver, browserId });
      const drop = deliver ? heldBack : "no_account";
      return {
        ...newMail(kind, mail as MailOf<MailKind>, drop === undefined ? {} : { drop }),
        heldBack: heldBack !== undefined,
      };
    },
  };
}

/** One address, without anything that could begin another header or recipient. N77. */
function assertRecipient(address: string): void {
  assertHeaderText(address);
  if (!/^[^\s,;<>"()]+@[^\s,;<>"()@]+$/.test(address) || Buffer.byteLength(address) > MAX_ADDRESS_BYTES)
    throw new Error("a mail goes to exactly one address");
}
