/** Ten shades from lightest to darkest. */
type Shades = readonly [string, string, string, string, string, string, string, string, string, string];

export const indigo: Shades = [
  "#eef2ff",
  "#e0e7ff",
  "#c7d2fe",
  "#a5b4fc",
  "#818cf8",
  "#6366f1",
  "#4f46e5",
  "#4338ca",
  "#3730a3",
  "#312e81",
];

export const slate: Shades = ["#f8fafc", "#f1f5f9", "#e2e8f0", "#cbd5e1", "#94a3b8", "#64748b", "#475569", "#334155", "#1e293b", "#0f172a"];

/** Mantine's dark surfaces: text first, then borders, then backgrounds. */
export const night: Shades = ["#e2e8f0", "#cbd5e1", "#94a3b8", "#7c8ba1", "#283548", "#1f2a3d", "#1a2436", "#0f172a", "#0b1222", "#070c18"];

/** The tokens of tokens.css that the Mantine theme repeats: [light, dark]. */
export const tokens = {
  "--gh-accent": [indigo[6], indigo[4]],
  "--gh-accent-soft": [indigo[0], "#1e1b4b"],
  "--gh-surface": ["#ffffff", night[7]],
  "--gh-surface-raised": ["#ffffff", night[6]],
  "--gh-background": [slate[0], night[8]],
  "--gh-border": [slate[2], night[4]],
  "--gh-text": [slate[9], night[0]],
  "--gh-text-muted": [slate[6], night[2]],
} as const;

export const font = '"Inter Variable", system-ui, -apple-system, "Segoe UI", Roboto, sans-serif';
export const monospace = 'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace';
export const radius = "10px";
