/** How an export is written. `line` includes the end of the line. */
export type ExportFormat<Item> = { extension: string; contentType: string; head: string; line: (item: Item) => string };

/** One JSON object per line. */
export const NDJSON: ExportFormat<unknown> = {
  extension: "ndjson",
  contentType: "application/x-ndjson; charset=utf-8",
  head: "",
  line: (item) => `${JSON.stringify(item)}\n`,
};

/** JSON Lines, as `gatehouse users import` reads it. */
export const JSON_LINES: ExportFormat<unknown> = { ...NDJSON, extension: "jsonl" };

/** CSV with a head line. RFC 4180, in UTF-8. */
export function csv<Item extends object>(columns: readonly (keyof Item & string)[]): ExportFormat<Item> {
  return {
    extension: "csv",
    contentType: "text/csv; charset=utf-8; header=present",
    head: `${columns.join(",")}\r\n`,
    line: (item) => `${columns.map((column) => cell(item[column])).join(",")}\r\n`,
  };
}

/**
 * Users choose their own names, and a spreadsheet would run one that starts like a formula: a quote makes it text.
 * https://owasp.org/www-community/attacks/CSV_Injection
 */
function cell(value: unknown): string {
  if (value === undefined || value === null) return "";
  const text = /^[=+\-@\t\r]/.test(String(value)) ? `'${value}` : String(value);
  return /["\r\n,;]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
