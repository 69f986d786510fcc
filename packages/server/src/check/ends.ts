import type { NewExpression, Node, Statement } from "@babel/types";
import { type Allowed, CLASSES, calledMethod, ENDS, isPlain } from "./effects.ts";
import { childrenOf } from "./source.ts";
import { resolveValue, unwrapped } from "./values.ts";

/** Whether a statement ends the request, and shows or does nothing of the product before. */
export function endsRequest(statement: Statement, allowed: Allowed): boolean {
  switch (statement.type) {
    case "BlockStatement": {
      const last = statement.body.at(-1);
      const before = statement.body.slice(0, -1);
      return last !== undefined && endsRequest(last, allowed) && before.every((one) => isAnswer(one, allowed));
    }
    case "ThrowStatement":
      return isAnswer(statement.argument, allowed);
    case "ReturnStatement":
      return !statement.argument || isAnswer(statement.argument, allowed);
    case "ExpressionStatement": {
      const call = unwrapped(statement.expression);
      return call.type === "CallExpression" && isEnd(call.callee, allowed) && isAnswer(call, allowed);
    }
    default:
      return false;
  }
}

function isEnd(callee: Node, { place, product }: Allowed): boolean {
  const value = resolveValue(callee, place, product);
  return value.kind === "library" && value.module === "next/navigation" && ENDS.includes(value.name);
}

/** Whether something only builds a refusal: elements of HTML, an error, a response. Components could show anything. */
function isAnswer(node: Node, allowed: Allowed): boolean {
  const expression = unwrapped(node);
  if (expression.type === "JSXOpeningElement" && !isHtml(expression.name, allowed)) return false;
  if (expression.type === "AwaitExpression") return false;
  if (expression.type === "CallExpression" || expression.type === "OptionalCallExpression") {
    const isAllowed = isEnd(expression.callee, allowed) || isResponse(expression.callee, allowed);
    return isAllowed ? expression.arguments.every((one) => isAnswer(one, allowed)) : isPlain(expression, allowed);
  }
  if (expression.type === "NewExpression" && !isBuiltIn(expression, allowed)) return false;
  if (/^(?:Assignment|Update|Yield|TaggedTemplate|Import)Expression$/.test(expression.type)) return false;
  return [...childrenOf(expression)].every((child) => isAnswer(child, allowed));
}

function isHtml(name: Node, { place, product }: Allowed): boolean {
  if (name.type === "JSXIdentifier" && /^[a-z]/.test(name.name)) return true;
  return resolveValue(name, place, product).kind === "library";
}

function isBuiltIn({ callee }: NewExpression, { place, product }: Allowed): boolean {
  const isKnown = callee.type === "Identifier" && CLASSES.includes(callee.name);
  return isKnown || resolveValue(callee, place, product).kind === "library";
}

/** `Response.json` and `NextResponse.redirect`. */
function isResponse(callee: Node, { place, product }: Allowed): boolean {
  const called = calledMethod(callee);
  if (called?.object.type !== "Identifier") return false;
  const value = resolveValue(called.object, place, product);
  const isNext = value.kind === "library" && value.module === "next/server" && value.name === "NextResponse";
  return isNext || (called.object.name === "Response" && value.kind === "unknown");
}
