import type { CallExpression, Function as FunctionNode, Node, Statement } from "@babel/types";
import { type Allowed, isHarmless, isOfParameter, isPlain } from "./effects.ts";
import { endsRequest } from "./ends.ts";
import { firstEvaluated } from "./first-evaluated.ts";
import type { Verdict } from "./problem.ts";
import { isFunction, namesOf } from "./scope.ts";
import { isSignedOut, type SessionNames, sessionNames, testsWholeSession } from "./session-names.ts";
import { lineOf, nodesBelow } from "./source.ts";
import { type FunctionValue, isSdk, type Place, type Product, resolveValue, unwrapped, type Value } from "./values.ts";

const MAX_DEPTH = 4;

/** `entry`: whether Next calls the function, so that its parameters are the request. `depth`: of calls followed. */
type How = { entry?: boolean; depth?: number };

/**
 * Whether a function checks who sent the request before it does anything else: `await auth.protect()`, a function of the
 * product that does so, or `await auth()` and an `if` that ends the request without a user. PK-42.
 */
export function checkOf(fn: FunctionValue, product: Product, how: How = {}): Verdict {
  const { by, session } = beginningOf(fn, product, how);
  return by === undefined ? problemIn(fn, product, session) : { kind: "checked", by };
}

type Beginning = { by?: string; session?: SessionNames | undefined };

/** Reads a function up to its check, or else to the first statement that has an effect. */
function beginningOf(fn: FunctionValue, product: Product, { entry = false, depth = 0 }: How): Beginning {
  const { node } = fn;
  const place = inside(fn);
  const allowed = { place, product, parameters: entry ? parametersOf(node) : new Set<string>() };
  if (depth > MAX_DEPTH || node.generator || !node.params.every((parameter) => hasPlainDefaults(parameter, allowed)))
    return {};

  const body: Allowed = { ...allowed, place: { ...place, around: [...place.around, node.body] } };
  let session: SessionNames | undefined;
  for (const statement of statementsOf(node)) {
    const by = checkIn(statement, body, depth);
    if (by !== undefined) return { by };
    if (session && endsWithoutUser(statement, session, body)) return { by: "auth()" };
    const named = sessionNames(statement, body);
    if (!named && !isHarmless(statement, body)) break;
    session = named ?? session;
  }
  return { session };
}

/** `if (!user) redirect("/")`. */
function endsWithoutUser(statement: Statement, session: SessionNames, body: Allowed): boolean {
  return (
    statement.type === "IfStatement" && isSignedOut(statement.test, session) && endsRequest(statement.consequent, body)
  );
}

/**
 * The verdict on what a module exports: a function, one that `auth.protect` or a function of the product wraps, or the
 * handlers of the SDK.
 */
export function verdictOf(value: Value, product: Product, { entry = false, depth = 0 }: How = {}): Verdict {
  if (value.kind === "function") return checkOf(value, product, { entry, depth });
  if (isSdk(value, "handlers.GET") || isSdk(value, "handlers.POST"))
    return { kind: "checked", by: "handlers of the SDK" };
  if (value.kind !== "call" || depth > MAX_DEPTH) return { kind: "open", problem: "unknown", detail: "its export" };
  const { callee, call } = value;
  if (isSdk(callee, "auth.protect") && call.arguments.length > 1) return { kind: "checked", by: "auth.protect(…)" };
  const name = `${writtenName(call.callee)}(…)`;
  const returned = callee.kind === "function" ? returnedBy(callee, product) : undefined;
  const verdict = returned && verdictOf(returned, product, { entry: true, depth: depth + 1 });
  return verdict?.kind === "checked"
    ? { kind: "checked", by: name }
    : { kind: "open", problem: "unknown", detail: name };
}

/** What a function that does nothing but to return something returns. */
function returnedBy(fn: FunctionValue, product: Product): Value | undefined {
  const { node } = fn;
  const place = inside(fn);
  const body = { ...place, around: [...place.around, node.body] };
  const statements = statementsOf(node);
  const last = statements.at(-1);
  if (last?.type !== "ReturnStatement" || !last.argument || node.async || node.generator) return undefined;
  const allowed = { place: body, product, parameters: new Set<string>() };
  return statements.slice(0, -1).every((one) => isHarmless(one, allowed))
    ? resolveValue(last.argument, body, product)
    : undefined;
}

/** The place of what a function contains. */
export function inside({ node, place }: FunctionValue): Place {
  return { source: place.source, around: [...place.around, node] };
}

export function statementsOf({ body }: FunctionNode): Statement[] {
  if (body.type === "BlockStatement") return body.body;
  return [{ type: "ReturnStatement", argument: body, loc: body.loc ?? null } as unknown as Statement];
}

const parametersOf = (node: FunctionNode): Set<string> =>
  new Set(node.params.flatMap((parameter) => [...namesOf(parameter)].map(({ name }) => name)));

function hasPlainDefaults(parameter: Node, allowed: Allowed): boolean {
  if (parameter.type === "AssignmentPattern" && !isPlain(parameter.right, allowed)) return false;
  return [...nodesBelow(parameter, [])].every(
    ({ node }) => node.type !== "AssignmentPattern" || isPlain(node.right, allowed),
  );
}

/** The check that a statement makes, whatever happens; undefined if it makes none. */
function checkIn(statement: Statement, allowed: Allowed, depth: number): string | undefined {
  if (statement.type === "ExpressionStatement") return awaitedCheck(statement.expression, allowed, depth);
  if (statement.type === "ReturnStatement" && statement.argument) {
    const returned = unwrapped(statement.argument);
    // What an async function returns is awaited by its caller.
    const by = returned.type === "CallExpression" ? checkBy(returned, allowed, depth) : undefined;
    return by ?? awaitedCheck(returned, allowed, depth);
  }
  if (statement.type === "IfStatement") return awaitedCheck(statement.test, allowed, depth);
  if (statement.type !== "VariableDeclaration") return undefined;
  for (const { id, init } of statement.declarations) {
    const by = init ? awaitedCheck(init, allowed, depth) : undefined;
    if (by !== undefined) return by;
    if (!isPlain(id, allowed) || (init && !isPlain(init, allowed))) return undefined;
  }
  return undefined;
}

/** `await check()`, also where more is done with what it returns: `(await auth.protect()).user.id === id`. */
function awaitedCheck(node: Node, allowed: Allowed, depth: number): string | undefined {
  const expression = firstEvaluated(node);
  if (expression.type !== "AwaitExpression") return undefined;
  const call = unwrapped(expression.argument);
  return call.type === "CallExpression" ? checkBy(call, allowed, depth) : undefined;
}

function checkBy(call: CallExpression, allowed: Allowed, depth: number): string | undefined {
  const { place, product } = allowed;
  if (!call.arguments.every((argument) => isPlain(argument, allowed))) return undefined;
  const callee = resolveValue(call.callee, place, product);
  if (isSdk(callee, "auth.protect")) return call.arguments.length < 2 ? "auth.protect()" : undefined;
  if (isSdk(callee, "getAccessToken")) return "getAccessToken()"; // throws without a session
  if (callee.kind === "call") {
    const wrapped = verdictOf(callee, product, { depth: depth + 1 });
    return wrapped.kind === "checked" ? wrapped.by : undefined;
  }
  if (callee.kind !== "function") return undefined;
  // With nothing but parts of the request as arguments, its parameters are that.
  const entry = call.arguments.every((argument) => isOfParameter(argument, allowed));
  const { by } = beginningOf(callee, product, { entry, depth: depth + 1 });
  return by === undefined ? undefined : `${writtenName(call.callee)}()`;
}

export function writtenName(node: Node): string {
  const expression = unwrapped(node);
  if (expression.type === "Identifier" || expression.type === "JSXIdentifier") return expression.name;
  if (expression.type === "MemberExpression" && expression.property.type === "Identifier")
    return `${writtenName(expression.object)}.${expression.property.name}`;
  return "a function";
}

/** Why a function that makes a check somewhere makes none that counts. */
function problemIn(fn: FunctionValue, product: Product, session?: SessionNames): Verdict {
  const { node, place } = fn;
  for (const { node: found, around } of nodesBelow(node.body, [...place.around, node])) {
    if (found.type !== "CallExpression") continue;
    const callee = resolveValue(found.callee, { source: place.source, around }, product);
    const isCheck = callee.kind === "function" && beginningOf(callee, product, { depth: 1 }).by !== undefined;
    if (!isCheck && !isSdk(callee, "auth.protect")) continue;
    const detail = `${writtenName(found.callee)}()`;
    const inner = around.slice(place.around.length + 1);
    return { kind: "open", problem: problemOf(inner), detail, line: lineOf(found) };
  }
  if (!session) return { kind: "open", problem: "none" };
  const isAlwaysTrue = [...nodesBelow(node.body, [])].some((below) => testsWholeSession(below.node, session));
  return { kind: "open", problem: isAlwaysTrue ? "always_true" : "undecided", line: session.line };
}

function problemOf(around: readonly Node[]) {
  if (around.some(isFunction)) return "nested";
  const parent = around.at(-1);
  if (around.some(({ type }) => type === "TryStatement")) return "in_try";
  if (around.some(({ type }) => CONDITIONAL.test(type))) return "conditional";
  return parent?.type === "AwaitExpression" || parent?.type === "ReturnStatement" ? "late" : "not_awaited";
}

const CONDITIONAL = /^(?:If|Conditional|Logical|Switch|For|While|DoWhile|Labeled)/;
