const SEGMENT = /^(?:[\w.~-]+|\[\w+\]|\[\.\.\.\w+\]|\[\[\.\.\.\w+\]\])$/;

/**
 * Turns a route's path into a pattern: `[one]` matches one segment, `[...rest]` one or more, `[[...rest]]` any number.
 * Throws for segments that the policy table does not support, such as `[with-hyphen]` or a `(group)`.
 */
export function patternOf(path: string): RegExp {
  const unsupported = path
    .split("/")
    .slice(1)
    .find((segment) => segment !== "" && !SEGMENT.test(segment));
  if (unsupported !== undefined)
    throw new Error(`The policy table does not support the segment ${unsupported} of ${path}.`);
  const source = path
    .replaceAll(".", "\\.")
    .replace(/\/\[\[\\\.\\\.\\\.(\w+)\]\]$/, "(?:/(?<$1>.+))?")
    .replace(/\[\\\.\\\.\\\.(\w+)\]$/, "(?<$1>.+)")
    .replace(/\[(\w+)\]/g, "(?<$1>[^/]+)");
  return new RegExp(`^${source}$`);
}

/**
 * Sorts paths in the order in which Next tries them, segment by segment: fixed, `[one]`, `[...rest]`, `[[...rest]]`.
 */
export function compareSpecificity(a: string, b: string): number {
  const [rankA, rankB] = [rankOf(a), rankOf(b)];
  return rankA < rankB ? -1 : rankA > rankB ? 1 : 0;
}

function rankOf(path: string): string {
  const ranks = path.split("/").map((segment) => ["[[", "[...", "["].findIndex((start) => segment.startsWith(start)));
  return ranks.map((rank) => (rank === -1 ? 0 : 3 - rank)).join("");
}
