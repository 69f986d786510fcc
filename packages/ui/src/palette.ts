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

export const slate: Shades = [
  "#f8fafc",
  "#f1f5f9",
  "#e2e8f0",
  "#cbd5e1",
  "#94a3b8",
  "#64748b",
  "#475569",
  "#334155",
  "#1e293b",
  "#0f172a",
];

/** Success. */
export const emerald: Shades = [
  "#ecfdf5",
  "#d1fae5",
  "#a7f3d0",
  "#6ee7b7",
  "#34d399",
  "#10b981",
  "#059669",
  "#047857",
  "#065f46",
  "#064e3b",
];

/** Errors and destructive actions. */
export const red: Shades = [
  "#fef2f2",
  "#fee2e2",
  "#fecaca",
  "#fca5a5",
  "#f87171",
  "#ef4444",
  "#dc2626",
  "#b91c1c",
  "#991b1b",
  "#7f1d1d",
];

/** Staging and warnings. */
export const amber: Shades = [
  "#fffbeb",
  "#fef3c7",
  "#fde68a",
  "#fcd34d",
  "#fbbf24",
  "#f59e0b",
  "#d97706",
  "#b45309",
  "#92400e",
  "#78350f",
];

/** Development. */
export const blue: Shades = [
  "#eff6ff",
  "#dbeafe",
  "#bfdbfe",
  "#93c5fd",
  "#60a5fa",
  "#3b82f6",
  "#2563eb",
  "#1d4ed8",
  "#1e40af",
  "#1e3a8a",
];

/** Production. */
export const green: Shades = [
  "#f0fdf4",
  "#dcfce7",
  "#bbf7d0",
  "#86efac",
  "#4ade80",
  "#22c55e",
  "#16a34a",
  "#15803d",
  "#166534",
  "#14532d",
];

/** Mantine's dark scale: text first, then borders, then backgrounds. */
export const night: Shades = [
  "#e2e8f0",
  "#cbd5e1",
  "#94a3b8",
  "#7c8ba1",
  "#283548",
  "#1f2a3d",
  "#1a2436",
  "#0f172a",
  "#0b1222",
  "#070c18",
];

/** The tokens of tokens.css that the Mantine theme also needs: [light, dark]. */
export const tokens = {
  "--gh-accent": [indigo[6], indigo[4]],
  "--gh-accent-soft": [indigo[0], "#1e1b4b"],
  "--gh-surface": ["#ffffff", night[7]],
  "--gh-surface-raised": ["#ffffff", night[6]],
  "--gh-background": [slate[0], night[8]],
  "--gh-border": [slate[2], night[4]],
  "--gh-text": [slate[9], night[0]],
  "--gh-text-muted": [slate[6], night[2]],
  "--gh-danger": [red[7], red[4]],
  "--gh-development": [blue[7], blue[4]],
  "--gh-staging": ["#a21caf", "#e879f9"],
  "--gh-production": ["#c2410c", "#f97316"],
} as const;

export const font = '"Inter Variable", "Inter Fallback", system-ui, -apple-system, "Segoe UI", Roboto, sans-serif';
export const monospace = 'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace';
export const radius = "10px";
