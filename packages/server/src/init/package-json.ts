import { applyEdits, type JSONPath, modify } from "jsonc-parser";
import { parseJson } from "./project.ts";

/** Versions, or what else a package manager takes in their place, by the names of the packages. */
export type Packages = { dependencies: Record<string, string>; devDependencies: Record<string, string> };

export const DEV_SCRIPT = "dev:auth";

/** package.json with the packages and the script, formatted as it is. What it has already stays. PK-20 */
export function packageJsonWith(text: string, packages: Packages, script: string): string {
  const has = parseJson("package.json", text) as Record<string, Record<string, string> | undefined>;
  const wanted: [JSONPath, string][] = [
    [["scripts", DEV_SCRIPT], script],
    ...(["dependencies", "devDependencies"] as const).flatMap((kind) =>
      Object.entries(packages[kind]).map(([name, version]): [JSONPath, string] => [[kind, name], version]),
    ),
  ];
  const indent = /^([ \t]+)"/m.exec(text)?.[1] ?? "  ";
  const formattingOptions = {
    insertSpaces: !indent.startsWith("\t"),
    tabSize: indent.length,
    eol: text.includes("\r\n") ? "\r\n" : "\n",
  };
  return wanted
    .filter(([[kind = "", name = ""]]) => has[kind]?.[name] === undefined)
    .reduce((before, [path, value]) => applyEdits(before, modify(before, path, value, { formattingOptions })), text);
}
