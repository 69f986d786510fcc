import type { Setting } from "./setting.ts";
import type { Settings } from "./settings.ts";
import { SETTING_TABLES } from "./table.ts";

/** A setting as it counts now, and where its value comes from. */
export type SettingOrigin = {
  variable: string;
  /** Never a secret: `set (43 characters)` in its place, and URLs without their credentials. */
  value: string;
  /** "environment", "default", "console", or the path of a file. */
  origin: string;
};

type Sources = {
  /** The environment, with `.env`. */
  variables: Readonly<Record<string, string | undefined>>;
  /** The path of the file `.env`, and what it sets. */
  envFile: { path: string; values: Readonly<Record<string, string>> } | undefined;
  /** The variables whose values admins saved in the console. */
  saved: ReadonlySet<string>;
  /** The settings in force; undefined if they are invalid. */
  inForce: Settings | undefined;
};

/** Every setting, by what it is about. OP-13 */
export function settingOrigins(sources: Sources): { title: string; settings: SettingOrigin[] }[] {
  return SETTING_TABLES.map(({ title, table }) => ({
    title,
    settings: Object.entries(table).flatMap(([variable, setting]) =>
      setting.docs === undefined ? [] : [{ variable, ...originOf(variable, setting, sources) }],
    ),
  }));
}

function originOf(
  variable: string,
  { secret: isSecret, docs, console: shown }: Setting<Settings>,
  { variables, envFile, saved, inForce }: Sources,
): Omit<SettingOrigin, "variable"> {
  const file = isSecret ? variables[`${variable}_FILE`] : undefined;
  if (file) return { value: "set", origin: file };
  const value = variables[variable];
  if (value) {
    const isOfFile = envFile?.values[variable] === value;
    return { value: isSecret ? hidden(variable, value) : value, origin: isOfFile ? envFile.path : "environment" };
  }
  const read = inForce && shown?.show(inForce); // without passwords, by its definition
  return { value: read || plain(docs?.default ?? ""), origin: saved.has(variable) ? "console" : "default" };
}

/** A password may look like a URL, so the variable's name decides. */
function hidden(variable: string, value: string): string {
  if (!variable.endsWith("_URL") || !URL.canParse(value)) return `set (${value.length} characters)`;
  const { protocol, host, pathname } = new URL(value);
  return host === "" ? `${protocol}${pathname}` : `${protocol}//${host}${pathname}`;
}

/** Markdown as a terminal shows it. */
const plain = (markdown: string) => markdown.replaceAll(/\[([^\]]+)\]\([^)]*\)/g, "$1").replaceAll("`", "");
