import type { MailBrand, MailKind, NewMail } from "@gatehouse/accounts";
import type { Hash, Seal } from "@gatehouse/auth";
import { isLocale, type Locale, textsFor } from "@gatehouse/languages";
import { frame, type RenderedMail } from "./frame.tsx";
import { codeOf, type Letter, type LetterContext, linkOf } from "./letter.ts";
import { TEMPLATES, type Template } from "./templates/index.ts";

/** What is sealed in a mail's row. */
export type Payload = {
  data: unknown;
  /** The hash of the mailed token that it carries. */
  token?: Hash;
  /** Why it is not to be sent; undefined: send it. */
  drop?: string;
  /** A notice to an address that nobody has proved: the limits of AB-07 count it when it is sent. */
  limited?: boolean;
  brand?: MailBrand;
};

/** A mail as it is sent, with its language and the link and code in it. */
export type OpenedMail = RenderedMail & { locale: Locale; link: string | undefined; code: string | undefined };

export type Presentation = Pick<LetterContext, "product" | "issuer" | "colour" | "links">;

/** What the payload of a mail is sealed for: it opens for its own mail alone. */
export const mailPurpose = (id: string) => `mail ${id}`;

export function sealPayload(id: string, payload: Payload, seal: Seal): string {
  return seal.seal(mailPurpose(id), JSON.stringify(payload));
}

/** Undefined if it was sealed under another secret. */
export function openPayload(
  { id, payload }: Pick<NewMail, "id"> & { payload: string | null },
  seal: Seal,
): Payload | undefined {
  const opened = payload === null ? undefined : seal.open(mailPurpose(id), payload);
  return opened === undefined ? undefined : JSON.parse(opened); // sealed by this server
}

/** Writes a mail in its language. Throws for an unknown kind, and for a subject with control characters. N77. */
export function renderMail(
  mail: { kind: string; locale: string },
  { data, brand }: Pick<Payload, "data" | "brand">,
  presentation: Presentation,
): OpenedMail {
  const template = (TEMPLATES as Partial<Record<string, Template<MailKind>>>)[mail.kind];
  if (!template) throw new Error(`there is no template for ${mail.kind}`);
  const locale = isLocale(mail.locale) ? mail.locale : "en";
  const product = brand?.name ?? presentation.product;
  const context: LetterContext = {
    ...presentation,
    product,
    locale,
    texts: textsFor(locale),
    colour: brand?.colour ?? presentation.colour,
    links: { ...presentation.links, ...brand?.links },
  };
  const letter: Letter = template(data as never, context);
  assertHeaderText(letter.subject);
  return { ...frame(letter, context), locale, link: linkOf(letter), code: codeOf(letter) };
}

/** A stored mail, as its recipient sees it; undefined if its content is gone, dropped or of an older program. */
export function readMail(
  mail: Pick<NewMail, "id" | "locale"> & { kind: string; payload: string | null },
  { seal, presentation }: { seal: Seal; presentation: Presentation },
): OpenedMail | undefined {
  const payload = openPayload(mail, seal);
  if (!payload || payload.drop !== undefined || !(mail.kind in TEMPLATES)) return undefined;
  return renderMail(mail, payload, presentation);
}

/** A line break in a header would begin another one. */
export function assertHeaderText(value: string): void {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there
  if (/[\u0000-\u001f\u007f\u2028\u2029]/.test(value))
    throw new Error("a mail header must not contain control characters");
}
