import type { Checked } from "./check.ts";
import { idOf } from "./check.ts";
import type { Entry, EntryKind } from "./entries.ts";
import { explain, inBrief } from "./problem.ts";
import { patternFor } from "./public-routes.ts";

const TITLES: [EntryKind, string][] = [
  ["page", "Pages"],
  ["handler", "Route handlers"],
  ["action", "Server Actions"],
];
/** A longer name has its check on the next line. */
const MAX_NAME = 42;

/** The list as text for 80 columns: a table, a summary, and what to do about each problem. */
export function describeChecked({ entries, proxy, notes }: Checked): string {
  const width = Math.min(MAX_NAME, Math.max(0, ...entries.map((entry) => nameOf(entry).length)));
  const tables = TITLES.flatMap(([kind, title]) => {
    const rows = entries.filter((entry) => entry.kind === kind);
    return rows.length === 0 ? [] : [title, ...rows.map((entry) => rowOf(entry, width)), ""];
  });
  const open = entries.filter(({ problem }) => problem);
  return [
    ...tables,
    summaryOf(entries),
    ...open.map((entry) => adviceOn(entry, proxy)),
    ...notes.map((note) => `\n${note}`),
  ].join("\n");
}

function rowOf(entry: Entry, width: number): string {
  const { problem, check, public: pattern } = entry;
  const mark = problem ? "✗" : "✓";
  const state = problem ? inBrief(problem.code, problem.detail) : (check ?? `public (${pattern})`);
  const name = nameOf(entry);
  return name.length > width
    ? `${mark} ${name}\n  ${" ".repeat(width)}  ${state}`
    : `${mark} ${name.padEnd(width)}  ${state}`;
}

/** "GET /api/orders", "/orders/[id]", a file and a function with `#` between. */
function nameOf(entry: Entry): string {
  const { kind, route, name, file } = entry;
  if (route === undefined) return idOf(entry);
  if (kind === "page") return name === "page" ? route : `${route} (${name})`;
  return /^[A-Z*]+$/.test(name) ? `${name} ${route}` : `${route}${file.includes("pages/") ? "" : ` (${name})`}`;
}

function summaryOf(entries: readonly Entry[]): string {
  const open = entries.filter(({ problem }) => problem).length;
  const isPublic = entries.filter((entry) => entry.public !== undefined).length;
  const checked = entries.length - open - isPublic;
  const counts = `${checked} with a check, ${isPublic} public, ${open} without`;
  return open === 0 ? `All ${entries.length} are covered: ${counts}.` : `${entries.length} listed: ${counts}.`;
}

function adviceOn(entry: Entry, proxy: string | undefined): string {
  const { file, line, problem, route, kind } = entry;
  if (!problem) return "";
  const lines = [`${file}:${line}  ${nameOf(entry)}`, `  ${explain(problem.code, problem.detail)}`, ...codeFor(entry)];
  const mark = route === undefined ? `--public ${idOf(entry)}` : `--public ${JSON.stringify(patternFor(route))}`;
  const list =
    route !== undefined && proxy !== undefined
      ? `add ${JSON.stringify(patternFor(route))} to public in ${proxy}`
      : `run with ${mark}`;
  const what = kind === "action" ? "everybody may call it" : "it is public";
  return ["", ...lines, `  If ${what}: ${list}`].join("\n");
}

/** The line to add, where that is the fix. */
function codeFor({ kind, name, problem }: Entry): string[] {
  if (problem?.code !== "none" && problem?.code !== "unknown") return [];
  if (kind === "handler" && /^[A-Z]+$/.test(name))
    return [`    export const ${name} = auth.protect({}, async (request, { session }) => { … });`];
  return ["    await auth.protect(); // as its first line"];
}
