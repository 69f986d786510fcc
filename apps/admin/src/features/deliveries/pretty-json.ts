/** Below this the indentation grows no more: anyone may send a body of nothing but brackets. */
const DEEPEST = 40;

/**
 * Lays JSON out over lines without changing a single value: numbers keep their digits and keys their order,
 * which parsing and writing again would not promise. Returns undefined when `text` is not a JSON object or array.
 */
export function prettyJson(text: string): string | undefined {
  if (!/^\s*[[{]/.test(text) || !isJson(text)) return undefined;
  let depth = 0;
  const line = () => `\n${"  ".repeat(Math.min(depth, DEEPEST))}`;
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
