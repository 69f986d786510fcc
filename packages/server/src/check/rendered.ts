import type { JSXOpeningElement, Node } from "@babel/types";
import { checkOf, inside, statementsOf, writtenName } from "./body.ts";
import { type Allowed, calledMethod, isPlain, TRANSFORMS } from "./effects.ts";
import type { Verdict } from "./problem.ts";
import { namesOf } from "./scope.ts";
import { childrenOf, lineOf } from "./source.ts";
import { type FunctionValue, type Place, type Product, resolveValue, type Value } from "./values.ts";

const MAX_DEPTH = 6;
const PASSIVE: Verdict = { kind: "passive" };

/**
 * The verdict on a component that Next renders: its own check, or that of a component in it, if everything else that it
 * renders is passive. Under Cache Components a check stands in a component within `<Suspense>`. PK-42.
 */
export function contentOf(value: Value, product: Product, { entry = false, depth = 0 } = {}): Verdict {
  if (value.kind === "library") return PASSIVE; // it knows nothing of the product but what it is given
  if (value.kind !== "function") return { kind: "open", problem: "unknown", detail: "its export" };
  if (value.place.source.directive === "use client") return entry ? { kind: "open", problem: "client" } : PASSIVE; // it has the data that it is given
  const own = checkOf(value, product, { entry });
  if (own.kind === "checked" || depth > MAX_DEPTH) return own;
  const parts = [...partsOf(value.node.body, innerOf(value, product, entry))];
  if (parts.includes("effect") || value.node.generator) return own;

  let by: string | undefined;
  for (const part of parts) {
    if (part === "effect") continue;
    const verdict = contentOf(part.component, product, { depth: depth + 1 });
    const name = writtenName(part.element.name);
    if (verdict.kind === "open")
      return own.kind === "open" && own.problem !== "none" ? own : inPart(verdict, name, part.element);
    if (verdict.kind === "checked") by ??= `${verdict.by.replace(/ in \w+$/, "")} in ${name}`;
  }
  return by === undefined ? PASSIVE : { kind: "checked", by };
}

function inPart(verdict: Verdict & { kind: "open" }, name: string, element: Node): Verdict {
  const { problem } = verdict;
  return problem === "none" || problem === "unknown"
    ? { kind: "open", problem: "unknown", detail: `<${name}>`, line: lineOf(element) }
    : { ...verdict, detail: `${verdict.detail ?? "auth()"} in ${name}`, line: lineOf(element) };
}

function innerOf(fn: FunctionValue, product: Product, entry: boolean): Allowed {
  const place = inside(fn);
  const parameters = new Set(fn.node.params.flatMap((one) => [...namesOf(one)].map(({ name }) => name)));
  return { place, product, parameters: entry ? parameters : new Set() };
}

type Part = "effect" | { component: Value; element: JSXOpeningElement };

/** The components that a body renders, and whether it does anything else. */
function* partsOf(node: Node, allowed: Allowed): Generator<Part> {
  if (isServerFunction(node)) return; // it is not called here, and has a check of its own
  if (node.type === "JSXOpeningElement" && !isHtml(node))
    yield { component: resolveValue(node.name, allowed.place, allowed.product), element: node };
  if (hasEffect(node, allowed)) yield "effect";
  const place: Place = { ...allowed.place, around: [...allowed.place.around, node] };
  for (const child of childrenOf(node)) yield* partsOf(child, { ...allowed, place });
}

const isHtml = ({ name }: JSXOpeningElement) => name.type === "JSXIdentifier" && /^[a-z]/.test(name.name);

export function isServerFunction(node: Node): boolean {
  return (
    "body" in node &&
    typeof node.body === "object" &&
    node.body !== null &&
    "directives" in node.body &&
    node.body.type === "BlockStatement" &&
    node.body.directives.some(({ value }) => value.value === "use server")
  );
}

function hasEffect(node: Node, allowed: Allowed): boolean {
  switch (node.type) {
    case "CallExpression":
    case "OptionalCallExpression": {
      const method = calledMethod(node.callee)?.method;
      if (method !== undefined && TRANSFORMS.includes(method)) return false; // its parts are looked at by themselves
      return !isPlain({ ...node, arguments: [] }, allowed) && !isPassiveCall(node.callee, allowed);
    }
    case "AwaitExpression":
      return !isPlain(node, allowed);
    case "NewExpression":
      return !isPlain(node, allowed) && resolveValue(node.callee, allowed.place, allowed.product).kind !== "library";
    case "AssignmentExpression":
    case "UpdateExpression":
    case "TaggedTemplateExpression":
    case "YieldExpression":
    case "ImportExpression":
    case "Import":
      return true;
    default:
      return false;
  }
}

/** A function of the product that only computes, such as one that joins class names. */
function isPassiveCall(callee: Node, { place, product, calls = 0 }: Allowed): boolean {
  const value = resolveValue(callee, place, product);
  if (calls > MAX_DEPTH || value.kind !== "function" || value.node.async || value.node.generator) return false;
  const parameters = new Set(value.node.params.flatMap((one) => [...namesOf(one)].map(({ name }) => name)));
  const allowed = { place: inside(value), product, parameters, calls: calls + 1 };
  return statementsOf(value.node).every((one) => [...partsOf(one, allowed)].length === 0);
}
