import type { Node, Statement } from "@babel/types";
import type { Allowed } from "./effects.ts";
import { namesOf } from "./scope.ts";
import { lineOf } from "./source.ts";
import { isSdk, resolveValue, unwrapped } from "./values.ts";

/** What a declaration calls the answer of `await auth()`, which is an object for everybody, and its user. */
export type SessionNames = {
  sessions: ReadonlySet<string>;
  users: ReadonlySet<string>;
  line: number;
};

/** The names of `const session = await auth()`, `const { user } = await auth()` and `const user = (await auth()).user`. */
export function sessionNames(statement: Statement, allowed: Allowed): SessionNames | undefined {
  if (statement.type !== "VariableDeclaration" || statement.declarations.length !== 1) return undefined;
  const [declaration] = statement.declarations;
  if (!declaration?.init || statement.kind !== "const") return undefined;
  const init = unwrapped(declaration.init);
  const line = lineOf(statement);
  const names = [...namesOf(declaration.id)];
  if (isAuthCall(init, allowed)) {
    const sessions = names.filter(({ path }) => path?.length === 0);
    const users = names.filter(({ path }) => path?.length === 1 && path[0] === "user");
    return { sessions: setOf(sessions), users: setOf(users), line };
  }
  const isUser =
    init.type === "MemberExpression" && isNamed(init.property, "user") && isAuthCall(unwrapped(init.object), allowed);
  if (!isUser) return undefined;
  const users = names.filter(({ path }) => path?.length === 0);
  return { sessions: new Set(), users: setOf(users), line };
}

const setOf = (names: readonly { name: string }[]) => new Set(names.map(({ name }) => name));
const isNamed = (node: Node, name: string) => node.type === "Identifier" && node.name === name;

function isAuthCall(node: Node, { place, product }: Allowed): boolean {
  if (node.type !== "AwaitExpression") return false;
  const call = unwrapped(node.argument);
  return call.type === "CallExpression" && isSdk(resolveValue(call.callee, place, product), "auth");
}

/** Whether a condition holds whenever nobody is signed in. */
export function isSignedOut(test: Node, session: SessionNames): boolean {
  const expression = unwrapped(test);
  if (expression.type === "LogicalExpression" && expression.operator === "||")
    return isSignedOut(expression.left, session) || isSignedOut(expression.right, session);
  if (expression.type === "UnaryExpression" && expression.operator === "!") {
    return isUserOrMember(unwrapped(expression.argument), session);
  }
  if (expression.type !== "BinaryExpression" || !/^={2,3}$/.test(expression.operator)) return false;
  const sides = [unwrapped(expression.left), unwrapped(expression.right)];
  return sides.some(({ type }) => type === "NullLiteral") && sides.some((side) => isUser(side, session));
}

/** `!session`, which never holds. */
export function testsWholeSession(node: Node, { sessions }: SessionNames): boolean {
  if (node.type !== "UnaryExpression" || node.operator !== "!") return false;
  const tested = unwrapped(node.argument);
  return tested.type === "Identifier" && sessions.has(tested.name);
}

/** `auth()` returns `{ user: null }` for nobody, so that the user and all its members are missing. */
function isUser(node: Node, { sessions, users }: SessionNames): boolean {
  if (node.type === "Identifier") return users.has(node.name);
  if (node.type !== "MemberExpression" && node.type !== "OptionalMemberExpression") return false;
  const object = unwrapped(node.object);
  return !node.computed && isNamed(node.property, "user") && object.type === "Identifier" && sessions.has(object.name);
}

function isUserOrMember(node: Node, session: SessionNames): boolean {
  if (isUser(node, session)) return true;
  if (node.type !== "MemberExpression" && node.type !== "OptionalMemberExpression") return false;
  return !node.computed && isUserOrMember(unwrapped(node.object), session);
}
