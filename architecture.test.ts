import { existsSync, readdirSync, readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { dirname, join, relative, resolve } from "node:path";
import { describe, expect, test } from "vitest";

// The fences of ARCHITECTURE.md. A failure prints the offending line; move the code, not the fence.

const ROOT = import.meta.dirname;
const SKIPPED = new Set(["node_modules", ".next", ".turbo", ".git", "dist", "migrations", "public", "test-results", "bench"]);

/** Who may import whom, among our own packages. `type` means `import type` alone. */
const MAY_IMPORT: Record<string, { ours: readonly string[]; ourTypes?: readonly string[]; never: readonly RegExp[] }> = {
  "packages/auth": { ours: [], never: [/^(?!node:)/] },
  "packages/webhooks": { ours: [], never: [/^(?!node:)/] },
  "packages/lifecycle": { ours: [], never: [/^next\b/, /^react/, /^@trpc\//, /^drizzle-orm/, /^hono/] },
  "packages/lists": { ours: ["auth", "webhooks"], never: [/./] },
  "packages/db": { ours: ["auth", "webhooks", "lists"], never: [/^next\b/, /^react/, /^@trpc\//, /^hono/] },
  "packages/operations": { ours: ["auth", "webhooks", "lists", "db"], never: [/^next\b/, /^react/, /^@trpc\//, /^drizzle-orm/, /^hono/] },
  "packages/installation": {
    ours: ["auth", "webhooks", "db", "operations", "lifecycle"],
    never: [/^next\b/, /^react/, /^@trpc\//, /^drizzle-orm/, /^hono/],
  },
  "packages/api": { ours: ["auth", "webhooks", "lists", "db", "operations"], never: [/^next\b/, /^react/, /^drizzle-orm/, /^hono/] },
  "packages/ui": { ours: [], never: [/^next\b/, /^@trpc\//, /^drizzle-orm/, /^node:/] },
  "packages/cli": {
    ours: ["auth", "webhooks", "db", "operations", "installation", "lifecycle"],
    never: [/^next\b/, /^react/, /^@trpc\//, /^drizzle-orm/, /^hono/],
  },
  "apps/web": { ours: ["auth", "webhooks", "db", "operations", "installation", "api", "ui", "lifecycle"], never: [/^drizzle-orm/] },
  "apps/admin": {
    ours: ["ui", "lifecycle", "lists"],
    ourTypes: ["api"],
    never: [/^drizzle-orm/, /^better-sqlite3/, /^pg\b/, /^@trpc\/server/],
  },
  "examples/relying-party": { ours: [], never: [] },
};

type Line = { file: string; number: number; text: string };
type Import = Line & { specifier: string; typeOnly: boolean };

const isTest = (file: string) => /\.test\.tsx?$|\.bench\.ts$|\/testing\//.test(file);
const show = (line: Line, why: string) => `${relative(ROOT, line.file)}:${line.number}  ${line.text.trim()}   ← ${why}`;

function sources(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (SKIPPED.has(entry.name)) return [];
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return sources(path);
    return /\.(ts|tsx)$/.test(entry.name) && !entry.name.endsWith(".d.ts") ? [path] : [];
  });
}

function lines(file: string): Line[] {
  return readFileSync(file, "utf8")
    .split("\n")
    .map((text, index) => ({ file, number: index + 1, text }));
}

/** Every static import, re-export and dynamic import of a file; an import that spans lines is reported at its `from`. */
function imports(file: string): Import[] {
  const found: Import[] = [];
  let typeOnly = false;
  for (const line of lines(file)) {
    if (/^\s*(import|export)\b/.test(line.text)) typeOnly = /^\s*(import|export)\s+type\b/.test(line.text);
    const match =
      /^(?:(?:import|export)\b.*\sfrom|\}\s*from|import)\s+"([^"]+)"/.exec(line.text) ?? /\bimport\("([^"]+)"\)/.exec(line.text);
    if (match?.[1]) found.push({ ...line, specifier: match[1], typeOnly: typeOnly && !/\bimport\("/.test(line.text) });
  }
  return found;
}

const packageName = (specifier: string) =>
  specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");
/** A path within the package: relative, or by the import alias `@/`. */
const isLocal = (specifier: string) => specifier.startsWith(".") || specifier.startsWith("@/");
const isBuiltin = (specifier: string) => specifier.startsWith("node:") || builtinModules.includes(packageName(specifier));

describe.each(Object.entries(MAY_IMPORT))("%s", (folder, fence) => {
  const files = sources(join(ROOT, folder));
  const outward = files.flatMap(imports).filter(({ specifier }) => !isLocal(specifier));

  test("imports only the packages below it", () => {
    const offences = outward.flatMap((line) => {
      const ours = /^@gatehouse\/([^/]+)/.exec(line.specifier)?.[1];
      if (ours) {
        const allowed = ours === folder.split("/")[1] || fence.ours.includes(ours) || (line.typeOnly && fence.ourTypes?.includes(ours));
        return allowed ? [] : [show(line, `${folder} may not import @gatehouse/${ours}`)];
      }
      if (isTest(line.file)) return [];
      return fence.never.some((pattern) => pattern.test(line.specifier)) ? [show(line, `not allowed in ${folder}`)] : [];
    });
    expect(offences).toEqual([]);
  });

  test("imports only what its package.json lists", () => {
    const manifest = JSON.parse(readFileSync(join(ROOT, folder, "package.json"), "utf8"));
    const runtime = Object.keys(manifest.dependencies ?? {});
    const everything = [...runtime, ...Object.keys(manifest.devDependencies ?? {}), manifest.name];
    const offences = outward.flatMap((line) => {
      if (isBuiltin(line.specifier) || line.specifier.startsWith("#")) return [];
      const listed =
        isTest(line.file) || line.typeOnly || /(\.config|\/build)\.ts$/.test(line.file) ? everything : [...runtime, manifest.name];
      return listed.includes(packageName(line.specifier)) ? [] : [show(line, "not in package.json")];
    });
    expect(offences).toEqual([]);
  });

  test("reaches no other folder by a relative path", () => {
    const offences = files
      .flatMap(imports)
      .filter(
        ({ file, specifier }) =>
          specifier.startsWith(".") && relative(join(ROOT, folder), resolve(dirname(file), specifier)).startsWith(".."),
      );
    expect(offences.map((line) => show(line, `leaves ${folder}`))).toEqual([]);
  });

  test("reads process.env in env.ts alone", () => {
    const offences = files
      .filter((file) => !isTest(file) && !/\/(env|[a-z]+\.config|server)\.ts$/.test(file) && !folder.startsWith("examples/"))
      .flatMap(lines)
      .filter(({ text }) => /process\.env/.test(text) && !/^\s*(\*|\/\/|\/\*\*)/.test(text));
    expect(offences.map((line) => show(line, "belongs in env.ts"))).toEqual([]);
  });
});

test("the protocol and the receiver take clock and randomness as arguments", () => {
  const files = ["packages/auth", "packages/webhooks"].flatMap((folder) => sources(join(ROOT, folder))).filter((file) => !isTest(file));
  const offences = files
    .flatMap(lines)
    .filter(
      ({ text }) =>
        /\b(Date\.now|Math\.random|randomBytes|randomUUID|getRandomValues|new Date\(\))/.test(text) && !/^\s*(\*|\/\/)/.test(text),
    );
  expect(offences.map((line) => show(line, "take it from deps"))).toEqual([]);
});

test("folders are nouns a reader would search for", () => {
  const folders = ["packages", "apps"].flatMap((top) => sources(join(ROOT, top))).map((file) => relative(ROOT, dirname(file)));
  const offences = [...new Set(folders)].filter((path) =>
    path.split("/").some((part) => /^(utils?|helpers?|common|lib|shared)$/.test(part)),
  );
  expect(offences).toEqual([]);
});
