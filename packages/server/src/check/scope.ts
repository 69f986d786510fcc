import type { Expression, Function as FunctionNode, Node, PatternLike, Statement } from "@babel/types";
import { childrenOf } from "./source.ts";

/** What a name stands for in one scope. `other`: something whose value is not known before the program runs. */
export type Binding =
  | { kind: "const"; init: Expression; path: readonly string[] }
  | { kind: "function"; node: FunctionNode }
  | { kind: "import"; from: string; name: string }
  | { kind: "other" };

const OTHER: Binding = { kind: "other" };
const known = new WeakMap<Node, ReadonlyMap<string, Binding>>();

/** The names that a program, a function, a block, a loop or a catch clause declares. */
export function namesIn(node: Node): ReadonlyMap<string, Binding> {
  const found = known.get(node);
  if (found) return found;
  const names = new Map<string, Binding>();
  const add = (name: string, binding: Binding) => names.set(name, names.has(name) ? OTHER : binding);
  if (isFunction(node)) {
    for (const parameter of node.params) for (const { name } of namesOf(parameter)) add(name, OTHER);
    for (const name of varsBelow(node.body)) add(name, OTHER);
    if (node.type === "FunctionExpression" && node.id) add(node.id.name, OTHER);
  } else if (node.type === "Program" || node.type === "BlockStatement" || node.type === "StaticBlock") {
    for (const statement of node.body) declare(statement, add);
  } else if (node.type === "SwitchStatement") {
    for (const statement of node.cases.flatMap(({ consequent }) => consequent)) declare(statement, add);
  } else if (node.type === "CatchClause" && node.param) {
    for (const { name } of namesOf(node.param)) add(name, OTHER);
  } else if (/^For/.test(node.type)) {
    for (const child of childrenOf(node)) if (child.type === "VariableDeclaration") declareOther(child, add);
  }
  known.set(node, names);
  return names;
}

type Add = (name: string, binding: Binding) => void;

function declare(statement: Statement, add: Add): void {
  switch (statement.type) {
    case "ImportDeclaration":
      for (const specifier of statement.specifiers) {
        const name = importedName(specifier);
        add(specifier.local.name, { kind: "import", from: statement.source.value, name });
      }
      return;
    case "FunctionDeclaration":
      if (statement.id) add(statement.id.name, { kind: "function", node: statement });
      return;
    case "VariableDeclaration":
      if (statement.kind !== "const") {
        declareOther(statement, add);
        return;
      }
      for (const { id, init } of statement.declarations)
        for (const { name, path } of namesOf(id as PatternLike))
          add(name, init && path ? { kind: "const", init, path } : OTHER);
      return;
    case "ExportNamedDeclaration":
    case "ExportDefaultDeclaration":
      if (statement.declaration && /Declaration$/.test(statement.declaration.type))
        declare(statement.declaration as Statement, add);
      return;
    case "ClassDeclaration":
    case "TSEnumDeclaration":
    case "TSModuleDeclaration":
      if (statement.id?.type === "Identifier") add(statement.id.name, OTHER);
  }
}

function declareOther(declaration: Statement & { type: "VariableDeclaration" }, add: Add): void {
  for (const { id } of declaration.declarations) for (const { name } of namesOf(id as PatternLike)) add(name, OTHER);
}

function importedName(specifier: { type: string; imported?: { type: string; name?: string; value?: string } }): string {
  if (specifier.type === "ImportNamespaceSpecifier") return "*";
  if (specifier.type === "ImportDefaultSpecifier") return "default";
  return specifier.imported?.name ?? specifier.imported?.value ?? "default";
}

/** The names that a pattern binds, each with the members that lead to it; undefined where that is not plain. */
export function* namesOf(
  pattern: Node,
  path: readonly string[] | undefined = [],
): Generator<{
  name: string;
  path: readonly string[] | undefined;
}> {
  switch (pattern.type) {
    case "Identifier":
      yield { name: pattern.name, path };
      return;
    case "ObjectPattern":
      for (const property of pattern.properties) {
        if (property.type === "RestElement") yield* namesOf(property.argument, undefined);
        else {
          const { key, computed } = property;
          const member = !computed && key.type === "Identifier" ? key.name : undefined;
          yield* namesOf(property.value, member !== undefined && path ? [...path, member] : undefined);
        }
      }
      return;
    case "ArrayPattern":
      for (const element of pattern.elements) if (element) yield* namesOf(element, undefined);
      return;
    case "AssignmentPattern":
      yield* namesOf(pattern.left, undefined);
      return;
    case "RestElement":
      yield* namesOf(pattern.argument, undefined);
      return;
    case "TSParameterProperty":
      yield* namesOf(pattern.parameter, undefined);
  }
}

/** `var` belongs to the whole function, wherever it stands. */
function* varsBelow(node: Node): Generator<string> {
  for (const child of childrenOf(node)) {
    if (isFunction(child)) continue;
    if (child.type === "VariableDeclaration" && child.kind === "var")
      for (const { id } of child.declarations) for (const { name } of namesOf(id)) yield name;
    yield* varsBelow(child);
  }
}

export function isFunction(node: Node): node is FunctionNode {
  return (
    node.type === "FunctionDeclaration" ||
    node.type === "FunctionExpression" ||
    node.type === "ArrowFunctionExpression" ||
    node.type === "ObjectMethod" ||
    node.type === "ClassMethod" ||
    node.type === "ClassPrivateMethod"
  );
}
