import { existsSync } from "node:fs";
import { join } from "node:path";
import type { StringLiteral } from "@babel/types";
import { UnsureError } from "../init/unsure.ts";
import { ANONYMOUS, actionsIn, type Entry, entriesOfRoute, type Found } from "./entries.ts";
import { moduleFinder } from "./modules.ts";
import { publicPattern, publicRoutes } from "./public-routes.ts";
import { appFolder, filesBelow, pagesRouterFiles, routeFiles } from "./routes.ts";
import { CODE, nodesBelow, openSources } from "./source.ts";
import type { Product } from "./values.ts";

/** What requests reach in a product, and what guards it. `proxy`: the file with the list of public routes. */
export type Checked = { entries: Entry[]; proxy: string | undefined; notes: readonly string[] };

/**
 * Lists the pages, handlers and Server Actions of a Next product with their checks. What cannot be followed counts as
 * unchecked. `said`: further public routes ("/about"), and public Server Actions, each as its file and name with `#` between. PK-42.
 *
 * @throws UnsureError if the folder is no product of the App Router, or `said` names nothing.
 * @throws UnreadableSourceError
 */
export function checkProduct(project: string, said: readonly string[] = []): Checked {
  const app = appFolder(project);
  if (app === undefined)
    throw new UnsureError(
      `${project} has no folder app or src/app. Run this in the folder of a product with Next's App Router.`,
    );
  const sources = openSources(project);
  const product: Product = { sources, findModule: moduleFinder(sources) };
  const extensions = pageExtensions(product);

  const found: Found[] = [
    ...routeFiles(project, app, extensions).flatMap((file) => entriesOfRoute(file, product)),
    ...pagesRouterFiles(project, extensions).map(ofPagesRouter),
    ...[...filesBelow(project)]
      .filter((file) => CODE.test(file) && sources.text(file).includes("use server"))
      .flatMap((file) => actionsIn(sources.read(file), product)),
  ];
  const isPattern = (one: string) => one.startsWith("/") || one === "(.*)";
  const { file: proxy, notes, ...listed } = publicRoutes(product, app, said.filter(isPattern));
  const publicActions = said.filter((one) => !isPattern(one));
  requireActions(publicActions, found);
  const patternOf = publicPattern({ file: proxy, notes, ...listed });
  const entries = found.map((one) => {
    const isNamed = one.kind === "action" && publicActions.includes(idOf(one));
    return entryOf(one, one.route === undefined ? (isNamed ? idOf(one) : undefined) : patternOf(one.route));
  });
  return { entries: entries.toSorted(byPlace), proxy, notes };
}

/** What `said` calls a Server Action. */
export const idOf = ({ file, name }: Pick<Entry, "file" | "name">) => `${file}#${name}`;

function entryOf({ verdict, ...found }: Found, pattern: string | undefined): Entry {
  const check = verdict.kind === "checked" ? verdict.by : undefined;
  const isOpen = check === undefined && pattern === undefined;
  const {
    problem,
    detail,
    line = found.line,
  } = verdict.kind === "open" ? verdict : { problem: "none" as const, detail: undefined };
  return {
    ...found,
    line: isOpen ? line : found.line,
    check,
    public: check === undefined ? pattern : undefined,
    problem: isOpen ? { code: problem, detail } : undefined,
  };
}

const KINDS = ["page", "handler", "action"];

function byPlace(one: Entry, other: Entry): number {
  const kind = KINDS.indexOf(one.kind) - KINDS.indexOf(other.kind);
  return (
    kind ||
    (one.route ?? "").localeCompare(other.route ?? "") ||
    one.file.localeCompare(other.file) ||
    one.line - other.line
  );
}

function ofPagesRouter({ file, route }: { file: string; route: string }): Found {
  const kind = route.startsWith("/api/") ? "handler" : "page";
  return { kind, route, name: kind, file, line: 1, verdict: { kind: "open", problem: "pages_router" } };
}

/** A name that has changed, or that two functions have, must not make another function public. */
function requireActions(named: readonly string[], found: readonly Found[]): void {
  const actions = found.filter(({ kind, name }) => kind === "action" && name !== ANONYMOUS).map(idOf);
  const wrong = named.filter((one) => actions.filter((action) => action === one).length !== 1);
  if (wrong.length === 0) return;
  const example = actions[0] ?? "app/actions.ts#subscribe";
  throw new UnsureError(
    `--public ${wrong.join(", ")}: not the name of one route or Server Action. Write "/about" or "${example}".`,
  );
}

const NEXT_EXTENSIONS = ["tsx", "ts", "jsx", "js"];

/** `pageExtensions` of next.config, where it is written out. */
function pageExtensions({ sources }: Product): string[] {
  const file = ["ts", "mts", "js", "mjs", "cjs"]
    .map((ending) => `next.config.${ending}`)
    .find((one) => existsSync(join(sources.project, one)));
  if (file === undefined || !sources.text(file).includes("pageExtensions")) return NEXT_EXTENSIONS;
  for (const { node } of nodesBelow(sources.read(file).program, [])) {
    const isOption =
      node.type === "ObjectProperty" && node.key.type === "Identifier" && node.key.name === "pageExtensions";
    if (!isOption || node.value.type !== "ArrayExpression") continue;
    const { elements } = node.value;
    if (elements.every((element): element is StringLiteral => element?.type === "StringLiteral"))
      return elements.map(({ value }) => value).toSorted((one, other) => other.length - one.length);
  }
  throw new UnsureError(`${file}: write the values of pageExtensions out, so that all routes are found.`);
}
