import type { Node } from "@babel/types";
import { verdictOf } from "./body.ts";
import type { Problem, Verdict } from "./problem.ts";
import { contentOf, isServerFunction } from "./rendered.ts";
import type { RouteFile } from "./routes.ts";
import { isFunction } from "./scope.ts";
import { CODE, lineOf, nodesBelow, type Source } from "./source.ts";
import { exportOf, exportsOf, type Product } from "./values.ts";

export type EntryKind = "page" | "handler" | "action";

/** One thing that requests reach. */
export type Entry = {
  kind: EntryKind;
  /** The URL as folders write it; undefined for a Server Action, which is reached through any page. */
  route: string | undefined;
  /** "GET", the name of a function, or what Next calls the file. */
  name: string;
  file: string;
  line: number;
  /** The check, as it is written; undefined without one. */
  check: string | undefined;
  /** The pattern that makes its route public; undefined without one. */
  public: string | undefined;
  problem: { code: Problem; detail: string | undefined } | undefined;
};

export type Found = Omit<Entry, "check" | "public" | "problem"> & { verdict: Verdict };

/** A function without a name. */
export const ANONYMOUS = "anonymous";

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
/** What requests reach through a file of the App Router. */
export function entriesOfRoute({ file, kind, route }: RouteFile, product: Product): Found[] {
  const base = { route, file, line: 1 };
  if (!CODE.test(file))
    return [
      {
        ...base,
        kind: "page",
        name: "page",
        verdict: { kind: "open", problem: "unknown", detail: "a file that is no code" },
      },
    ];
  const source = product.sources.read(file);
  const lineOfExport = (name: string) =>
    lineOf(exportsOf(source).find((one) => one.name === name)?.node ?? source.program);
  if (kind === "handler")
    return methodsOf(source, product).map((name) => {
      const verdict = verdictOf(exportOf(source, name, product), product, { entry: true });
      return { ...base, kind: "handler", name, line: lineOfExport(name), verdict };
    });

  const content = contentOf(exportOf(source, "default", product), product, { entry: true });
  const name = (/([^/.]+)\.\w+$/.exec(file) ?? [])[1] ?? kind;
  const main: Found = {
    ...base,
    kind: kind === "metadata" ? "handler" : "page",
    name,
    line: lineOfExport("default"),
    verdict: content,
  };
  const metadata = entryOfMetadata(source, product);
  const shown = kind === "page" && name === "page" ? [main] : [main].filter(({ verdict }) => isRelevant(verdict));
  return [...shown, ...(metadata ? [{ ...base, kind: "page" as const, ...metadata }] : [])];
}

/** A layout in the browser, and one that shows nothing but what is in its source, have nothing to check. */
const isRelevant = (verdict: Verdict) =>
  verdict.kind === "checked" || (verdict.kind === "open" && verdict.problem !== "client");

/** Next runs it beside the page: it can put into the title what the page keeps back. */
function entryOfMetadata(source: Source, product: Product): Pick<Found, "name" | "line" | "verdict"> | undefined {
  const exported = exportsOf(source).find(({ name }) => name === "generateMetadata");
  if (!exported) return undefined;
  const verdict = contentOf(exportOf(source, exported.name, product), product, { entry: true });
  return verdict.kind === "passive" ? undefined : { name: exported.name, line: lineOf(exported.node), verdict };
}

/** With `export *`, what the other module exports counts; where that cannot be read, it is listed as a star. */
function methodsOf(source: Source, product: Product): string[] {
  const names = exportsOf(source).map(({ name }) => name);
  const found = METHODS.filter(
    (method) => names.includes(method) || exportOf(source, method, product).kind !== "unknown",
  );
  const isFollowed = source.program.body.every(
    (statement) =>
      statement.type !== "ExportAllDeclaration" ||
      product.findModule(source.file, statement.source.value) !== undefined,
  );
  return isFollowed ? found : [...found, "*"];
}

/** The Server Actions of a module: all that it exports under "use server", and functions with the directive. */
export function actionsIn(source: Source, product: Product): Found[] {
  const { file } = source;
  const exported = source.directive === "use server" ? exportsOf(source) : [];
  const listed = new Set<Node>();
  const ofModule = exported.map(({ name, node }): Found => {
    const value = exportOf(source, name, product);
    if (value.kind === "function") listed.add(value.node);
    const verdict = verdictOf(value, product, { entry: true });
    return { kind: "action", route: undefined, name, file, line: lineOf(node), verdict };
  });
  const inline = [...nodesBelow(source.program, [])].flatMap(({ node, around }): Found[] => {
    if (!isFunction(node) || !isServerFunction(node) || listed.has(node)) return [];
    const verdict = verdictOf({ kind: "function", node, place: { source, around } }, product, { entry: true });
    return [{ kind: "action", route: undefined, name: nameOf(node, around), file, line: lineOf(node), verdict }];
  });
  return [...ofModule, ...inline];
}

/** What the source calls a function. */
function nameOf(node: Node, around: readonly Node[]): string {
  if ("id" in node && node.id && "name" in node.id) return String(node.id.name);
  if ("key" in node && node.key?.type === "Identifier") return node.key.name;
  const parent = around.at(-1);
  if (parent?.type === "VariableDeclarator" && parent.id.type === "Identifier") return parent.id.name;
  if (parent?.type === "ObjectProperty" && parent.key.type === "Identifier") return parent.key.name;
  return ANONYMOUS;
}
