import type { Node } from "@babel/types";
import { unwrapped } from "./values.ts";

/**
 * The part of an expression that is evaluated first, whatever its value: in `(await check()).user.role !== role` the
 * `await`. ECMAScript evaluates operands from left to right.
 */
export function firstEvaluated(node: Node): Node {
  const expression = unwrapped(node);
  const first = firstPart(expression);
  return first ? firstEvaluated(first) : expression;
}

function firstPart(expression: Node): Node | null | undefined {
  switch (expression.type) {
    case "MemberExpression":
    case "OptionalMemberExpression":
      return expression.object;
    case "UnaryExpression":
      return expression.operator === "delete" || expression.operator === "typeof" ? undefined : expression.argument;
    case "BinaryExpression":
    case "LogicalExpression":
      return expression.left;
    case "ConditionalExpression":
      return expression.test;
    case "CallExpression":
    case "OptionalCallExpression":
    case "NewExpression":
      return isName(expression.callee) ? expression.arguments[0] : expression.callee;
    case "TemplateLiteral":
      return expression.expressions[0];
    case "ArrayExpression":
      return expression.elements[0];
    case "ObjectExpression": {
      const [property] = expression.properties;
      return property?.type === "ObjectProperty" && !property.computed ? property.value : undefined;
    }
    default:
      return undefined;
  }
}

/** Evaluating a name, and a member of a name, runs nothing. */
function isName(node: Node): boolean {
  const expression = unwrapped(node);
  if (expression.type === "Identifier") return true;
  return expression.type === "MemberExpression" && !expression.computed && isName(expression.object);
}
