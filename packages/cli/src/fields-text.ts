/** A title over names and values, for a person at a terminal. */
export function fieldsText(title: string, fields: readonly (readonly [name: string, value: string])[]): string {
  return [title, "", ...fields.map(([name, text]) => `  ${name.padEnd(16)}${visible(text)}`)].join("\n");
}

/** Unix seconds as `2026-11-28 09:00:00 UTC`. */
export const instantText = (at: number): string =>
  new Date(at * 1000).toISOString().replace("T", " ").replace(".000Z", " UTC");

/** Escapes control characters in what a client sent: they can move the terminal's cursor or reverse text. CO-50. */
function visible(text: string): string {
  return text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (sign) => `\\u{${(sign.codePointAt(0) ?? 0).toString(16)}}`);
}
