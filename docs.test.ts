import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { SECRET_VARIABLES } from "./packages/runtime/src/secret-files.mjs";

// Documentation may only name what exists. A failure prints the file, the line and the name.

const ROOT = import.meta.dirname;
const read = (file: string) => readFileSync(join(ROOT, file), "utf8");
const tracked = execFileSync("git", ["ls-files"], { cwd: ROOT, encoding: "utf8" }).split("\n").filter(Boolean);
const pages = tracked.filter((file) => file.endsWith(".md"));
const sources = tracked.filter((file) => /\.(ts|tsx|mjs)$/.test(file) && !/\.(test|spec)\.tsx?$/.test(file));

type Named = { where: string; name: string };

/** Every match of `pattern` (its first group) in the documentation, with its place. */
function named(pattern: RegExp, textOf: (line: string) => string = (line) => line): Named[] {
  return pages.flatMap((page) =>
    read(page)
      .split("\n")
      .flatMap((line, at) =>
        [...textOf(line).matchAll(pattern)].map(([, name = ""]) => ({ where: `${page}:${at + 1}`, name })),
      ),
  );
}

const missing = (all: readonly Named[], exists: (one: Named) => boolean) =>
  all.filter((one) => !exists(one)).map(({ where, name }) => `${where}: ${name}`);

const FOLDERS = "(?:packages|apps|docs|e2e|examples|scripts|bench)";
const inFolders = new Set(tracked.flatMap((file) => file.split("/").map((_, at, parts) => parts.slice(at).join("/"))));
const folderNames = new Set(
  [...inFolders].flatMap((file) => file.split("/").map((_, at, parts) => parts.slice(0, at).join("/"))),
);

/** Whether a file or folder of the repository ends in this path. What a build makes is ignored. */
function isPath(name: string): boolean {
  const path = name.replace(/^\.\//, "").replace(/\/$/, "");
  return inFolders.has(path) || folderNames.has(path) || path.startsWith("dist/") || existsSync(join(ROOT, path));
}

/** `file`: above a block of code, which goes into that file of the reader's product. */
function namesCodeBelow({ where }: Named): boolean {
  const [page = "", line = "0"] = where.split(":");
  const [name = "", blank, code = ""] = read(page)
    .split("\n")
    .slice(Number(line) - 1);
  return name.endsWith(":") && blank === "" && code.trim().startsWith("```ts");
}

/** GitHub's anchor of a heading. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replaceAll(/\s/g, "-");

const anchorsOf = (page: string) =>
  new Set([...read(page).matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = ""]) => anchorOf(heading)));

describe("the documentation", () => {
  test("links to files and headings that exist", () => {
    const links = named(/\]\((?!https?:|mailto:)([^)\s]+)\)/g);
    expect(links.length).toBeGreaterThan(30);
    const broken = missing(links, ({ where, name }) => {
      const page = where.split(":")[0] ?? "";
      const [path = "", anchor] = decodeURIComponent(name).split("#");
      const target = path === "" ? page : join(dirname(page), path);
      if (!existsSync(join(ROOT, target))) return false;
      return anchor === undefined || !target.endsWith(".md") || anchorsOf(target).has(anchor);
    });
    expect(broken).toEqual([]);
  });

  test("names files and folders that exist", () => {
    const paths = named(/`([\w@.()[\]/-]+(?:\.(?:[cm]?tsx?|mjs|sql|css|grit|md)|\/))`/g);
    const below = named(new RegExp(`\`(${FOLDERS}/[^\`\\s]*)\``, "g")).filter(
      ({ name }) => !/[<>*…{]|node_modules/.test(name),
    );
    expect([paths.length > 150, below.length > 100]).toEqual([true, true]);
    const ofRepository = [...paths, ...below].filter((one) => !namesCodeBelow(one));
    expect(missing(ofRepository, ({ name }) => isPath(name.replace(/:\d+$/, "")))).toEqual([]);
  });

  test("has a row for every decision that code cites", () => {
    const cited = tracked
      .filter((file) => /\.(ts|tsx|mjs)$/.test(file))
      .flatMap((file) =>
        [...read(file).matchAll(/(?:\/\/|\*|test\(|describe\(|").*?\b(D\d{1,2})\b/g)].map(([, name = ""]) => ({
          where: file,
          name,
        })),
      );
    const rows = new Set([...read("docs/decisions/README.md").matchAll(/^\| (D\d+) \|/gm)].map(([, id]) => id));
    expect(rows.size).toBeGreaterThan(20);
    expect(missing(cited, ({ name }) => rows.has(name))).toEqual([]);
  });

  test("names npm scripts that exist", () => {
    const scripts = [...Object.keys(JSON.parse(read("package.json")).scripts), "dev:auth"]; // init writes that one
    const used = named(/\bnpm run (?:--silent )?([\w:-]+)/g);
    expect(used.length).toBeGreaterThan(3);
    expect(missing(used, ({ name }) => scripts.includes(name))).toEqual([]);
  });

  test("names commands of gatehouse that exist", () => {
    const declared = sources
      .filter((file) => /^packages\/(cli|server)\//.test(file))
      .flatMap((file) => [...read(file).matchAll(/(?:\.command|\.alias|new Command|serving)\(\s*"([\w-]+)/g)]);
    const commands = new Set(declared.map(([, name]) => name));
    const used = named(/(?:npm run|`) ?gatehouse (?:-- )?([a-z][\w-]*)/g);
    expect(used.length).toBeGreaterThan(3);
    expect(missing(used, ({ name }) => commands.has(name))).toEqual([]);
  });

  test("names environment variables that exist", () => {
    const program = sources
      .filter((file) => !file.startsWith("bench/"))
      .map(read)
      .join("\n");
    const used = named(/\b(GATEHOUSE_[A-Z_]+|DATABASE_[A-Z_]+)\b(?!…|_?\*)/g);
    expect(used.length).toBeGreaterThan(20);
    const isRead = (name: string) => new RegExp(`\\b${name}\\b`).test(program);
    const files = new Set(SECRET_VARIABLES.map((name) => `${name}_FILE`));
    expect(missing(used, ({ name }) => isRead(name) || files.has(name))).toEqual([]);
  });

  /**
   * Every variable that a schema reads; the file that names .env and what Next sets are no settings, and those of the packages and quick starts for products
   * are a product's.
   */
  function settings(): string[] {
    const schemas = [
      "packages/installation/src/settings/server.ts",
      "packages/installation/src/settings/process.ts",
      "packages/installation/src/settings/traces.ts",
      "apps/admin/src/env.ts",
    ]
      .map(read)
      .join("\n");
    const program = sources
      .filter(
        (file) =>
          !/^(bench|examples|e2e|packages\/(sdk|server|ui\/src\/quick-starts))\/|settings\/unknown\.ts$/.test(file),
      )
      .map(read)
      .join("\n");
    const keys = [
      ...schemas.matchAll(/^ +([A-Z][A-Z_]+): /gm),
      ...program.matchAll(/\b((?:GATEHOUSE|DATABASE)_[A-Z_]+)\b/g),
    ];
    return [...new Set(keys.map(([, name = ""]) => name))]
      .filter((name) => !/^NODE_ENV$|_TEST|_$/.test(name) && !OF_OTHERS.includes(name))
      .toSorted();
  }
  /** What the command line prints for products, and calls other servers with: no settings of a server. */
  const OF_OTHERS = ["GATEHOUSE_CLIENT_ID", "GATEHOUSE_CLIENT_SECRET", "GATEHOUSE_APP_URL", "GATEHOUSE_API_TOKEN"];
  const namesIn = (text: string, pattern: RegExp) =>
    [...new Set([...text.matchAll(pattern)].map(([, name = ""]) => name))].toSorted();

  test("OP-10 docs/configuration.md describes every setting", () => {
    const described = read("docs/configuration.md").replaceAll(/^\| ([^|]*)\|.*$/gm, "$1");
    expect(namesIn(described, /`([A-Z][A-Z_]{2,}[A-Z])`/g)).toEqual(settings());
  });

  test(".env.example names every setting but the one that names the file", () => {
    expect(namesIn(read(".env.example"), /^# ([A-Z_]+)=/gm)).toEqual(
      settings().filter((name) => name !== "GATEHOUSE_ENV_FILE"),
    );
  });
});

test("docs/sessions.md names for each row a test that exists", () => {
  const rows = read("docs/sessions.md").match(/^\| (?!what happens|---).*$/gm) ?? [];
  expect(rows.length).toBeGreaterThan(10);
  const unproven = rows.filter((row) => {
    const [, file = "", title = ""] = /\[test\]\(([^ ]+) "([^"]+)"\) \|$/.exec(row) ?? [];
    return title === "" || !read(join("docs", file)).includes(`"${title}"`);
  });
  expect(unproven).toEqual([]);
});

test("comments of code name files and folders that exist", () => {
  const name = new RegExp(
    `(?<![\\w./@-])(?:${FOLDERS}/[\\w./()[\\]@-]*\\w|(?:[\\w[\\]-]+/)*\\w[\\w.-]*\\.(?:[cm]?tsx?|mjs|sql|grit))(?![\\w/])`,
    "g",
  );
  const files = tracked.filter((file) => /\.(ts|tsx|mjs)$/.test(file));
  const names = files.flatMap((file) =>
    read(file)
      .split("\n")
      .flatMap((line, at) => {
        const comment = line.match(/^\s*(?:\/\/|\*|\/\*).*|(?<=[;,{)] )\/\/ .*$|\/\*\*.*\*\//)?.[0] ?? "";
        return [...comment.replaceAll(/https?:\S+/g, "").matchAll(name)].map(([path]) => ({
          where: `${file}:${at + 1}`,
          name: path,
        }));
      }),
  );
  expect(names.length).toBeGreaterThan(100);
  expect(missing(names, ({ name }) => isPath(name))).toEqual([]);
});
