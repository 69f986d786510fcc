/** A folder's name as a pattern: `[one]` is a segment, `[...rest]` one or more, `[[...rest]]` any number of them. */
export function patternOf(path: string): RegExp {
  const source = path
    .replaceAll(".", "\\.")
    .replace(/\/\[\[\\\.\\\.\\\.(\w+)\]\]$/, "(?:/(?<$1>.+))?")
    .replace(/\[\\\.\\\.\\\.(\w+)\]$/, "(?<$1>.+)")
    .replace(/\[(\w+)\]/g, "(?<$1>[^/]+)");
  return new RegExp(`^${source}$`);
}
