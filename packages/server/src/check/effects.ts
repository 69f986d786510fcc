import type { CallExpression, Node, Statement } from "@babel/types";
import { isFunction } from "./scope.ts";
import { childrenOf } from "./source.ts";
import { type Place, type Product, resolveValue, unwrapped, type Value } from "./values.ts";

/** Functions of libraries that tell a component about its request, or end it, and read nothing of the product. */
const HARMLESS: Readonly<Record<string, readonly string[]>> = {
  "next/headers": ["headers", "cookies", "draftMode"],
  "next/server": ["connection"],
  "next/cache": ["unstable_noStore", "cacheLife", "cacheTag"],
  react: ["use", "useId", "useMemo"],
  clsx: ["clsx", "default"],
  "tailwind-merge": ["twMerge"],
};
export const ENDS = ["redirect", "permanentRedirect", "notFound", "forbidden", "unauthorized"];

/** Reading the request: methods of the parameters that Next passes. */
const READS = ["get", "getAll", "has", "json", "text", "formData", "toString", "trim", "entries"];
/** Methods that make a value of another one. */
export const TRANSFORMS = [
  "map",
  "filter",
  "join",
  "slice",
  "toString",
  "includes",
  "trim",
  "toUpperCase",
  "toLowerCase",
];
const GLOBALS = ["String", "Number", "Boolean", "parseInt", "parseFloat"];
export const CLASSES = ["URL", "URLSearchParams", "Date", "Map", "Set", "Response", "Headers", "Error", "TypeError"];

/** What may stand before a check. `parameters`: names that Next passes. `calls`: how many are followed already. */
export type Allowed = { place: Place; product: Product; parameters: ReadonlySet<string>; calls?: number };

/** Whether a statement only declares and computes: nothing of the product is read or changed. */
export function isHarmless(statement: Statement, allowed: Allowed): boolean {
  if (/^(?:TS|EmptyStatement|FunctionDeclaration)/.test(statement.type)) return true;
  if (statement.type === "VariableDeclaration")
    return statement.declarations.every(({ id, init }) => isPlain(id, allowed) && (!init || isPlain(init, allowed)));
  return statement.type === "ExpressionStatement" && isPlain(statement.expression, allowed);
}

/** Whether an expression reads nothing of the product when it is evaluated. Functions in it are not called. */
export function isPlain(node: Node, allowed: Allowed): boolean {
  const expression = unwrapped(node);
  if (isFunction(expression) || /^(?:TS|JSX)/.test(expression.type)) return !/^JSX/.test(expression.type);
  switch (expression.type) {
    case "AwaitExpression": {
      const awaited = unwrapped(expression.argument);
      const isCall = awaited.type === "CallExpression" || awaited.type === "OptionalCallExpression";
      return (isCall || isOfParameter(awaited, allowed)) && isPlain(awaited, allowed);
    }
    case "CallExpression":
    case "OptionalCallExpression":
      return isPlainCall(expression as CallExpression, allowed);
    case "NewExpression":
      if (expression.callee.type !== "Identifier" || !CLASSES.includes(expression.callee.name)) return false;
      return expression.arguments.every((argument) => isPlain(argument, allowed));
    case "UnaryExpression":
      return expression.operator !== "delete" && isPlain(expression.argument, allowed);
    case "AssignmentExpression":
    case "UpdateExpression":
    case "TaggedTemplateExpression":
    case "YieldExpression":
    case "ClassExpression":
    case "ImportExpression":
      return false;
    default:
      return [...childrenOf(expression)].every((child) => isPlain(child, allowed));
  }
}

function isPlainCall({ callee, arguments: given }: CallExpression, allowed: Allowed): boolean {
  if (!given.every((argument) => isPlain(argument, allowed))) return false;
  const value = resolveValue(callee, allowed.place, allowed.product);
  if (isHarmlessFunction(value)) return true;
  if (callee.type === "Identifier") return GLOBALS.includes(callee.name) && value.kind === "unknown";
  const called = calledMethod(callee);
  if (called === undefined) return false;
  const { object, method } = called;
  if (READS.includes(method) && isOfParameter(object, allowed)) return true;
  return TRANSFORMS.includes(method) && isPlain(object, allowed);
}

export function calledMethod(callee: Node): { object: Node; method: string } | undefined {
  if (callee.type !== "MemberExpression" && callee.type !== "OptionalMemberExpression") return undefined;
  if (callee.computed || callee.property.type !== "Identifier") return undefined;
  return { object: unwrapped(callee.object), method: callee.property.name };
}

function isHarmlessFunction(value: Value): boolean {
  return value.kind === "library" && (HARMLESS[value.module]?.includes(value.name) ?? false);
}

/** `params`, `props.params`, `request.nextUrl.searchParams`: what Next passes, and members of it. */
export function isOfParameter(node: Node, { parameters }: Allowed): boolean {
  const expression = unwrapped(node);
  if (expression.type === "Identifier") return parameters.has(expression.name);
  if (expression.type === "MemberExpression" || expression.type === "OptionalMemberExpression")
    return !expression.computed && isOfParameter(expression.object, { parameters } as Allowed);
  if (expression.type === "AwaitExpression") return isOfParameter(expression.argument, { parameters } as Allowed);
  return false;
}
