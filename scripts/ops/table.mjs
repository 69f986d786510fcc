/** `op-40-fleet.test.ts` tests OP-40. */
export function nameOf(file) {
  const [, number = ""] = /^op-(\d+)/.exec(file) ?? [];
  return `OP-${number}`;
}

/** What a test measured, as a Markdown table, and what it had to skip. */
export function figuresTable({ id, figures, skipped, form, at, machine }) {
  const heading = [`${id}`, ...(at ? [`${form} form, ${at.slice(0, 10)}, ${machine}`] : [])].join(": ");
  const reasons = skipped.map((reason) => `Skipped: ${reason}`);
  if (figures.length === 0) return [heading, ...(reasons.length > 0 ? reasons : ["Nothing was measured."])].join("\n");
  const rows = figures.map(({ what, value, unit, limit, isMet }) => [
    what,
    `${value.toLocaleString("en", { maximumFractionDigits: value < 10 ? 2 : 0 })}${unit ? ` ${unit}` : ""}`,
    limit === undefined ? "" : `${limit}${isMet === false ? ", missed" : ""}`,
  ]);
  return [heading, "", ...tableOf(["", "measured", "holds"], rows), ...reasons].join("\n");
}

function tableOf(head, rows) {
  const widths = head.map((_, column) => Math.max(3, ...[head, ...rows].map((row) => row[column].length)));
  const line = (cells) => `| ${cells.map((cell, column) => cell.padEnd(widths[column])).join(" | ")} |`;
  return [line(head), `|${widths.map((width) => "-".repeat(width + 2)).join("|")}|`, ...rows.map(line)];
}
