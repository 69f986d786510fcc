const SEGMENT = /^(?:[\w.~-]+|\[\w+\]|\[\.\.\.\w+\]|\[\[\.\.\.\w+\]\])$/;

/**
 * A route's path as a pattern: `[one]` is a segment, `[...rest]` one or more, `[[...rest]]` any number of them.
 * Throws for what the policy table cannot name, such as `[with-hyphen]` or a `(group)`.
 */
export function patternOf(path: string): RegExp {
  const odd = path
    .split("/")
    .slice(1)
    .find((segment) => segment !== "" && !SEGMENT.test(segment));
  if (odd !== undefined) throw new Error(`The policy table cannot name the segment ${odd} of ${path}.`);
  const source = path
    .replaceAll(".", "\\.")
    .replace(/\/\[\[\\\.\\\.\\\.(\w+)\]\]$/, "(?:/(?<$1>.+))?")
    .replace(/\[\\\.\\\.\\\.(\w+)\]$/, "(?<$1>.+)")
    .replace(/\[(\w+)\]/g, "(?<$1>[^/]+)");
  return new RegExp(`^${source}$`);
}
