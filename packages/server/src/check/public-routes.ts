import { posix } from "node:path";
import type { Node } from "@babel/types";
import { createRouteMatcher } from "@gatehouse/guard/routes";
import { pathsOf } from "./routes.ts";
import { nodesBelow } from "./source.ts";
import { isSdk, type Place, type Product, resolveValue, unwrapped } from "./values.ts";

/** Which routes the product calls public: patterns of its proxy, and of the command line. */
export type PublicRoutes = {
  patterns: readonly string[];
  /** The file that has the list; undefined if no proxy has one. */
  file: string | undefined;
  /** What of the proxy cannot be read, and does not count. */
  notes: readonly string[];
};

const NAMES = ["proxy", "middleware"];
const ENDINGS = ["ts", "tsx", "js", "jsx", "mts", "mjs"];

/** Reads `proxy({ public: […] })`, where every pattern is written out. The proxy is beside the folder `app`. */
export function publicRoutes(product: Product, app: string, said: readonly string[]): PublicRoutes {
  const places = NAMES.flatMap((name) => ENDINGS.map((ending) => posix.join(posix.dirname(app), `${name}.${ending}`)));
  const file = places.find((place) => product.sources.exists(place));
  if (file === undefined) return { patterns: said, file: undefined, notes: [] };
  const lists = listsIn(file, product);
  const [list] = lists;
  if (list === undefined || lists.length > 1) {
    const note = `${file} has several lists of public routes, so none counts.`;
    return { patterns: said, file: undefined, notes: list === undefined ? [] : [note] };
  }
  const { patterns, isWhole } = stringsIn(list.node, list.place, product);
  const note = `${file}: only patterns that are written out in \`public\` count.`;
  return { patterns: [...patterns, ...said], file, notes: isWhole ? [] : [note] };
}

function listsIn(file: string, product: Product): { node: Node; place: Place }[] {
  const source = product.sources.read(file);
  return [...nodesBelow(source.program, [])].flatMap(({ node, around }) => {
    if (node.type !== "CallExpression") return [];
    const place = { source, around };
    const [shape] = node.arguments;
    if (shape?.type !== "ObjectExpression" || !isSdk(resolveValue(node.callee, place, product), "proxy")) return [];
    return shape.properties.flatMap((property) => {
      const isList =
        property.type === "ObjectProperty" && property.key.type === "Identifier" && property.key.name === "public";
      return isList ? [{ node: property.value, place }] : [];
    });
  });
}

type Strings = { patterns: string[]; isWhole: boolean };

/** The strings of an array, through names and spreads. */
function stringsIn(node: Node, place: Place, product: Product, depth = 0): Strings {
  const value = resolveValue(unwrapped(node), place, product);
  const NOTHING: Strings = { patterns: [], isWhole: false };
  if (value.kind !== "expression" || value.node.type !== "ArrayExpression" || depth > 5) return NOTHING;
  const parts = value.node.elements.map((element): Strings => {
    if (element?.type === "SpreadElement") return stringsIn(element.argument, value.place, product, depth + 1);
    const item = element && resolveValue(element, value.place, product);
    return item?.kind === "expression" && item.node.type === "StringLiteral"
      ? { patterns: [item.node.value], isWhole: true }
      : NOTHING;
  });
  return { patterns: parts.flatMap(({ patterns }) => patterns), isWhole: parts.every(({ isWhole }) => isWhole) };
}

/**
 * Finds the pattern that makes all of a route public, with the matcher of the proxy; undefined if none does.
 *
 * @throws Error for a pattern that the proxy rejects as well.
 */
export function publicPattern({ patterns }: PublicRoutes): (route: string) => string | undefined {
  const longest = Math.max(0, ...patterns.map((pattern) => pattern.split("/").length));
  const matchers = patterns.map((pattern) => ({ pattern, matches: createRouteMatcher([pattern]) }));
  const matchesAny = createRouteMatcher(patterns);
  return (route) => {
    const paths = pathsOf(route, longest);
    const alone = matchers.find(({ matches }) => paths.every((path) => matches(path)));
    return alone?.pattern ?? (paths.every((path) => matchesAny(path)) ? patterns.join(", ") : undefined);
  };
}

/** The pattern to list for a route, as the proxy writes it. */
export function patternFor(route: string): string {
  return route
    .replace(/\/\[\[?\.\.\.[^\]]+\]\]?$/, "(.*)")
    .replace(/\[([^\]]+)\]/g, (_, name: string) => `:${name.replace(/\W/g, "_")}`);
}
