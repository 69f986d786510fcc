import { existsSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { expect, test } from "vitest";

const admin = resolve(import.meta.dirname, "../..");
const mantine = (name: string) => realpathSync(join(admin, "node_modules/@mantine", name));
const core = mantine("core");
const read = (path: string) => readFileSync(path, "utf8");

/** Every file in `folder` and below it with this extension. */
const filesOf = (folder: string, extension: RegExp) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => extension.test(file))
    .map((file) => join(folder, file));

/** What the sources import from `@mantine/core` by name, types aside. */
function importedNames(sources: string[]): Set<string> {
  const imports = sources.flatMap((file) => [...read(file).matchAll(/import \{([^}]*)\} from "@mantine\/core"/g)]);
  const names = imports.flatMap(([, list = ""]) => list.split(",").map((name) => name.trim()));
  return new Set(
    names.filter((name) => name && !name.startsWith("type ")).map((name) => name.split(" as ")[0] ?? name),
  );
}

/** A module of `@mantine/core` and all that it imports, directly or not. Adds them to `seen`. */
function modulesFrom(module: string, seen = new Set<string>()): Set<string> {
  if (seen.has(module) || !existsSync(module)) return seen;
  seen.add(module);
  for (const [, path = ""] of read(module).matchAll(/from "(\.[^"]+)"/g))
    modulesFrom(resolve(dirname(module), path), seen);
  return seen;
}

test("CO-99 the console sends the styles of every Mantine component that it uses, in Mantine's order, and no others", () => {
  const index = read(join(core, "esm/index.mjs"));
  const moduleOf = new Map<string, string>();
  for (const [, list = "", path = ""] of index.matchAll(/import \{([^}]*)\} from "(\.[^"]+)"/g)) {
    for (const name of list.split(",")) moduleOf.set(name.trim().split(" as ").at(-1) ?? "", join(core, "esm", path));
  }
  const sources = [
    ...filesOf(join(admin, "src"), /\.tsx?$/),
    ...["charts", "modals", "notifications"].flatMap((name) => filesOf(join(mantine(name), "esm"), /\.mjs$/)),
  ];
  const reached = new Set<string>();
  for (const name of importedNames(sources)) modulesFrom(moduleOf.get(name) ?? "", reached);
  const classes = [...reached]
    .filter((file) => file.endsWith(".module.mjs"))
    .flatMap((file) => read(file).match(/m_[0-9a-z]+/g) ?? []);

  const all = read(join(core, "styles.layer.css"));
  const place = (styles: string) => all.indexOf(styles.match(/\.m_[0-9a-z]+/)?.[0] ?? "");
  const needed = filesOf(join(core, "styles"), /^[A-Z]\w+\.layer\.css$/)
    .map((file) => ({ file, styles: read(file) }))
    .filter(({ styles }) => classes.some((name) => styles.includes(`.${name}`)))
    .sort((a, b) => place(a.styles) - place(b.styles))
    .map(({ file }) => file.slice(core.length + 1));

  const imported = [
    ...read(join(import.meta.dirname, "mantine.css")).matchAll(/"@mantine\/core\/(styles\/[A-Z]\w+\.layer\.css)"/g),
  ];
  expect(needed.length).toBeGreaterThan(40);
  expect(imported.map(([, file]) => file)).toEqual(needed);
});
