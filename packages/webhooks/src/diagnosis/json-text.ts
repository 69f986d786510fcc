/** Strings, structural characters, and everything else between them: numbers, `true`, `false`, `null`. */
const TOKENS = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

export type JsonStyle = {
  /** Line breaks and this indentation; null for one line. */
  indent: string | null;
  /** After a comma on one line, and after a colon. */
  comma: "" | " ";
  colon: "" | " ";
};

/**
 * Rewrites the white space of JSON text and nothing else: the order of keys, numbers and escapes stay. The text must be
 * valid JSON. Undefined if the result would be much longer, as of deeply nested arrays.
 */
export function restyleJson(text: string, { indent, comma, colon }: JsonStyle): string | undefined {
  const maxLength = 8 * text.length + 1024;
  const tokens = text.match(TOKENS) ?? [];
  let depth = 0;
  let written = "";
  const newLine = () => (indent === null ? "" : `\n${indent.repeat(depth)}`);
  for (const [at, token] of tokens.entries()) {
    if (written.length > maxLength) return undefined;
    const isEmpty = (token === "{" && tokens[at + 1] === "}") || (token === "[" && tokens[at + 1] === "]");
    if (token === "{" || token === "[") {
      depth++;
      written += isEmpty ? token : token + newLine();
    } else if (token === "}" || token === "]") {
      depth--;
      const follows = tokens[at - 1] === "{" || tokens[at - 1] === "[";
      written += follows ? token : newLine() + token;
    } else if (token === ",") written += indent === null ? `,${comma}` : `,${newLine()}`;
    else written += token === ":" ? `:${colon}` : token;
  }
  return written;
}

/** Writes all characters outside of ASCII as `\uXXXX`, as Python and PHP do. */
export function escapeNonAscii(text: string): string {
  return text.replace(/[\u0080-\uffff]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** Writes `\uXXXX` of characters outside of ASCII as the characters. */
export function unescapeNonAscii(text: string): string {
  return text.replace(/\\u([0-9a-fA-F]{4})/g, (escaped, hex: string) => {
    const code = Number.parseInt(hex, 16);
    return code < 0x80 ? escaped : String.fromCharCode(code);
  });
}
