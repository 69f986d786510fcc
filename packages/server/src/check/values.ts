import type { CallExpression, Function as FunctionNode, Node, Program } from "@babel/types";
import type { FindModule } from "./modules.ts";
import { type Binding, isFunction, namesIn } from "./scope.ts";
import type { Source, Sources } from "./source.ts";

/** A place in a module: the nodes around an expression, outermost first. */
export type Place = { source: Source; around: readonly Node[] };

/**
 * What an expression stands for, as far as it can be known without running the program. `sdk` is what `gatehouse()`
 * returns and the members that lead from it. `unknown` is everything else, and counts as no check.
 */
export type Value =
  | { kind: "sdk"; path: readonly string[] }
  | { kind: "library"; module: string; name: string }
  | { kind: "module"; source: Source }
  | { kind: "function"; node: FunctionNode; place: Place }
  | { kind: "call"; callee: Value; call: CallExpression; place: Place }
  | { kind: "expression"; node: Node; place: Place }
  | { kind: "unknown" };

export type FunctionValue = Extract<Value, { kind: "function" }>;

/** The product, as the check reads it. */
export type Product = { sources: Sources; findModule: FindModule };

const UNKNOWN: Value = { kind: "unknown" };
const MAX_DEPTH = 24;

/** Follows names, members, imports and re-exports to what an expression stands for. */
export function resolveValue(node: Node, place: Place, product: Product, depth = 0): Value {
  if (depth > MAX_DEPTH) return UNKNOWN;
  const expression = unwrapped(node);
  if (isFunction(expression)) return { kind: "function", node: expression, place };
  switch (expression.type) {
    case "Identifier":
    case "JSXIdentifier":
      return resolveName(expression.name, place, product, depth + 1);
    case "MemberExpression":
    case "OptionalMemberExpression":
    case "JSXMemberExpression": {
      const name = memberName(expression);
      return name === undefined
        ? UNKNOWN
        : memberOf(resolveValue(expression.object, place, product, depth + 1), name, product, depth + 1);
    }
    case "CallExpression": {
      const callee = resolveValue(expression.callee, place, product, depth + 1);
      if (isLibrary(callee, "@gatehouse/sdk/next", "gatehouse")) return { kind: "sdk", path: [] };
      const [first] = expression.arguments;
      // `cache` of React calls the function at most once for a request, and returns what it returned.
      if (isLibrary(callee, "react", "cache") && first) return resolveValue(first, place, product, depth + 1);
      return { kind: "call", callee, call: expression, place };
    }
    default:
      return { kind: "expression", node: expression, place };
  }
}

/** An expression without what only its types need. */
export function unwrapped(node: Node): Node {
  switch (node.type) {
    case "TSAsExpression":
    case "TSSatisfiesExpression":
    case "TSNonNullExpression":
    case "TSTypeAssertion":
    case "TSInstantiationExpression":
    case "ParenthesizedExpression":
    case "ChainExpression" as never:
      return unwrapped((node as { expression: Node }).expression);
    default:
      return node;
  }
}

const isLibrary = (value: Value, module: string, name: string): boolean =>
  value.kind === "library" && value.module === module && value.name === name;

/** Whether it is this member of what `gatehouse()` returns, such as "auth.protect". */
export const isSdk = (value: Value, path: string): boolean => value.kind === "sdk" && value.path.join(".") === path;

function memberName(node: Node): string | undefined {
  if (node.type === "JSXMemberExpression") return node.property.name;
  if (node.type !== "MemberExpression" && node.type !== "OptionalMemberExpression") return undefined;
  const { property, computed } = node;
  if (!computed) return property.type === "Identifier" ? property.name : undefined;
  return property.type === "StringLiteral" ? property.value : undefined;
}

function memberOf(value: Value, name: string, product: Product, depth: number): Value {
  if (value.kind === "sdk") return { kind: "sdk", path: [...value.path, name] };
  if (value.kind === "module") return exportOf(value.source, name, product, depth + 1);
  if (value.kind === "library" && (value.name === "*" || value.name === "default"))
    return { kind: "library", module: value.module, name };
  return UNKNOWN;
}

function resolveName(name: string, { source, around }: Place, product: Product, depth: number): Value {
  for (let at = around.length - 1; at >= 0; at--) {
    const node = around[at] as Node;
    const binding = namesIn(node).get(name);
    if (binding) return resolveBinding(binding, { source, around: around.slice(0, at + 1) }, product, depth);
  }
  return UNKNOWN; // a global
}

function resolveBinding(binding: Binding, place: Place, product: Product, depth: number): Value {
  if (binding.kind === "function") return { kind: "function", node: binding.node, place };
  if (binding.kind === "const")
    return binding.path.reduce<Value>(
      (value, name) => memberOf(value, name, product, depth),
      resolveValue(binding.init, place, product, depth),
    );
  if (binding.kind === "import") return resolveImport(binding, place.source, product, depth);
  return UNKNOWN;
}

function resolveImport(
  { from, name }: { from: string; name: string },
  source: Source,
  product: Product,
  depth: number,
): Value {
  const file = product.findModule(source.file, from);
  if (file === undefined) return /^\.{1,2}(\/|$)/.test(from) ? UNKNOWN : { kind: "library", module: from, name };
  if (!/\.[cm]?[jt]sx?$/.test(file)) return UNKNOWN;
  const module = product.sources.read(file);
  return name === "*" ? { kind: "module", source: module } : exportOf(module, name, product, depth + 1);
}

/** What a module exports under a name. */
export function exportOf(source: Source, name: string, product: Product, depth = 0): Value {
  if (depth > MAX_DEPTH) return UNKNOWN;
  const place = atTop(source);
  const stars: Value[] = [];
  for (const statement of source.program.body) {
    if (statement.type === "ExportDefaultDeclaration" && name === "default")
      return resolveValue(statement.declaration, place, product, depth + 1);
    if (statement.type === "ExportAllDeclaration" && name !== "default") {
      const from = { from: statement.source.value, name };
      const value = resolveImport(from, source, product, depth + 1);
      if (value.kind !== "unknown" && value.kind !== "library") stars.push(value);
    }
    if (statement.type !== "ExportNamedDeclaration") continue;
    const { declaration, specifiers, source: origin } = statement;
    if (declaration && namesDeclaredBy(source.program, declaration).includes(name))
      return resolveName(name, place, product, depth + 1);
    for (const specifier of specifiers) {
      if (nameOf(specifier.exported) !== name) continue;
      if (specifier.type === "ExportNamespaceSpecifier")
        return resolveImport({ from: origin?.value ?? "", name: "*" }, source, product, depth + 1);
      if (specifier.type !== "ExportSpecifier") return UNKNOWN;
      const local = nameOf(specifier.local);
      return origin
        ? resolveImport({ from: origin.value, name: local }, source, product, depth + 1)
        : resolveName(local, place, product, depth + 1);
    }
  }
  return stars.length === 1 ? (stars[0] as Value) : UNKNOWN;
}

/** The names under which a module exports values, each with the node that does. */
export function exportsOf(source: Source): { name: string; node: Node }[] {
  return source.program.body.flatMap((statement) => {
    if (statement.type === "ExportDefaultDeclaration") return [{ name: "default", node: statement }];
    if (statement.type === "ExportAllDeclaration")
      return statement.exportKind === "type" ? [] : [{ name: "*", node: statement }];
    if (statement.type !== "ExportNamedDeclaration" || statement.exportKind === "type") return [];
    const declared = statement.declaration ? namesDeclaredBy(source.program, statement.declaration) : [];
    const listed = statement.specifiers.filter((one) => !("exportKind" in one && one.exportKind === "type"));
    return [
      ...declared.map((name) => ({ name, node: statement as Node })),
      ...listed.map((specifier) => ({ name: nameOf(specifier.exported), node: specifier as Node })),
    ];
  });
}

const atTop = (source: Source): Place => ({ source, around: [source.program] });

const nameOf = (node: { type: string; name?: string; value?: string } | Node): string =>
  "name" in node && typeof node.name === "string" ? node.name : "value" in node ? String(node.value) : "";

/** Names of the program that a declaration declares. */
function namesDeclaredBy(program: Program, declaration: Node): string[] {
  const alone: Program = { ...program, body: [declaration as Program["body"][number]] };
  return [...namesIn(alone).keys()];
}
