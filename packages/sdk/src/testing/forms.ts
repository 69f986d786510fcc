/** A form of a page: where it goes, and what it would send if nothing were filled in. */
export type Form = { action: string; fields: Record<string, string> };

const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/** The first form of a page of the server that has all of these fields. The server writes the HTML, so this suffices. */
export function findForm(html: string, ...names: string[]): Form | undefined {
  return [...html.matchAll(/<form\b([^>]*)>(.*?)<\/form>/gis)]
    .map(([, tag = "", inside = ""]) => ({ action: attributesOf(tag)["action"] ?? "", fields: fieldsOf(inside) }))
    .find(({ fields }) => names.every((name) => name in fields));
}

function fieldsOf(html: string): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const [, tag = ""] of html.matchAll(/<(?:input|button)\b([^>]*)>/gi)) {
    const { name, value = "", type, formaction, checked } = attributesOf(tag);
    const isChoice = type === "checkbox" || type === "radio";
    // A button with an address of its own sends the form elsewhere.
    if (name === undefined || formaction !== undefined || (isChoice && checked === undefined)) continue;
    fields[name] ??= value;
  }
  return fields;
}

function attributesOf(tag: string): Record<string, string | undefined> {
  const found = [...tag.matchAll(/([\w-]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?/g)];
  return Object.fromEntries(
    found.map(([, name = "", ...values]) => [
      name.toLowerCase(),
      decoded(values.find((one) => one !== undefined) ?? ""),
    ]),
  );
}

function decoded(text: string): string {
  return text.replaceAll(/&(?:#(\d+)|#x([\da-f]+)|(\w+));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return ENTITIES[name] ?? whole;
    return String.fromCodePoint(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16));
  });
}

/** What a person reads on a page, shortened. */
export function visibleText(html: string): string {
  const main = /<main\b.*?<\/main>/is.exec(html)?.[0] ?? html;
  const text = main.replaceAll(/<(script|style)\b.*?<\/\1>/gis, " ").replaceAll(/<[^>]*>/g, " ");
  return decoded(text).replaceAll(/\s+/g, " ").trim().slice(0, 300);
}
