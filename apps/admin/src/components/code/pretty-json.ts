/** Limits the output for bodies that consist of brackets only: anyone can send one. */
const MAX_INDENT = 40;

/**
 * Formats a JSON object or array without changing its values. Unlike parsing and serializing, it keeps every digit of a
 * number and the order of keys. Returns undefined for any other text.
 */
export function prettyJson(text: string): string | undefined {
  if (!/^\s*[[{]/.test(text) || !isJson(text)) return undefined;
  let depth = 0;
  const line = () => `\n${"  ".repeat(Math.min(depth, MAX_INDENT))}`;
  const tokens = text.match(/"(?:[^"\\]|\\.)*"|[[\]{}:,]|[^\s[\]{}:,"]+/g) ?? [];
  return tokens
    .map((token, index) => {
      if (token === ",") return `,${line()}`;
      if (token === ":") return ": ";
      if (token === "{" || token === "[") {
        if (closes(tokens[index + 1])) return token;
        depth += 1;
        return token + line();
      }
      if (!closes(token) || opens(tokens[index - 1])) return token;
      depth -= 1;
      return line() + token;
    })
    .join("");
}

const opens = (token: string | undefined) => token === "{" || token === "[";
const closes = (token: string | undefined) => token === "}" || token === "]";

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
