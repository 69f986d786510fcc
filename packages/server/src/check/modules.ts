import { existsSync, readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { parseJson } from "../init/project.ts";
import type { Sources } from "./source.ts";

const ENDINGS = ["", ".ts", ".tsx", ".js", ".jsx", ".mts", ".mjs", ".cts", ".cjs"];

/** Finds the product's module that an import names; undefined for a library, and for what is not a module. */
export type FindModule = (from: string, specifier: string) => string | undefined;

type Aliases = { base: string | undefined; paths: readonly { pattern: string; targets: readonly string[] }[] };

export function moduleFinder(sources: Sources): FindModule {
  const aliases = readAliases(sources.project, ["tsconfig.json", "jsconfig.json"]);
  return (from, specifier) => {
    const isRelative = /^\.{1,2}(\/|$)/.test(specifier);
    const places = isRelative
      ? [posix.join(posix.dirname(from), specifier)]
      : [...aliased(specifier, aliases), ...(aliases.base === undefined ? [] : [posix.join(aliases.base, specifier)])];
    return places.flatMap(candidates).find((file) => !file.startsWith("../") && sources.exists(file));
  };
}

/** In TypeScript, an import of "./x.js" means "./x.ts". */
function candidates(path: string): string[] {
  const bare = path.replace(/\.([cm]?)js(x?)$/, "");
  const written = ENDINGS.map((ending) => path + ending);
  const compiled = bare === path ? [] : ENDINGS.slice(1).map((ending) => bare + ending);
  return [...written, ...compiled, ...ENDINGS.slice(1).map((ending) => posix.join(path, `index${ending}`))];
}

/** TypeScript's rule: the pattern with the longest part before the star. */
function aliased(specifier: string, { paths }: Aliases): string[] {
  const [best] = paths
    .map(({ pattern, targets }) => {
      const [before = "", after] = pattern.split("*");
      if (after === undefined)
        return { rank: Number.POSITIVE_INFINITY, rest: pattern === specifier ? "" : undefined, targets };
      const fits = specifier.startsWith(before) && specifier.endsWith(after) && specifier.length >= pattern.length - 1;
      const rest = fits ? specifier.slice(before.length, specifier.length - after.length) : undefined;
      return { rank: before.length, rest, targets };
    })
    .filter(({ rest }) => rest !== undefined)
    .toSorted((one, other) => other.rank - one.rank);
  return best ? best.targets.map((target) => posix.normalize(target.replace("*", best.rest ?? ""))) : [];
}

type Config = { extends?: string | string[]; compilerOptions?: { baseUrl?: string; paths?: Record<string, string[]> } };

function readAliases(project: string, names: readonly string[]): Aliases {
  const name = names.find((one) => existsSync(join(project, one)));
  return name === undefined ? { base: undefined, paths: [] } : aliasesIn(project, name, 0);
}

/** The aliases of a configuration, or else those of one that it extends by a relative path. */
function aliasesIn(project: string, file: string, depth: number): Aliases {
  const { extends: parents = [], compilerOptions = {} } = parseJson(
    file,
    readFileSync(join(project, file), "utf8"),
  ) as Config;
  const folder = dirname(file);
  const inherited = [parents]
    .flat()
    .filter((parent) => parent.startsWith(".") && depth < 5)
    .map((parent) => posix.join(folder, parent.endsWith(".json") ? parent : `${parent}.json`))
    .filter((parent) => existsSync(join(project, parent)))
    .map((parent) => aliasesIn(project, parent, depth + 1));
  const last = inherited.at(-1);
  const base = compilerOptions.baseUrl === undefined ? last?.base : posix.join(folder, compilerOptions.baseUrl);
  const { paths } = compilerOptions;
  if (paths === undefined) return { base, paths: last?.paths ?? [] };
  const under = (target: string) => posix.join(base ?? folder, target);
  return { base, paths: Object.entries(paths).map(([pattern, targets]) => ({ pattern, targets: targets.map(under) })) };
}
