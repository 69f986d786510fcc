import { compareSpecificity, patternOf } from "./pattern.ts";
import { POLICIES, type Policy, type SessionRequirement } from "./policy-table.ts";

type Guarded = Policy & { requires: SessionRequirement };
const isGuarded = (policy: Policy | undefined): policy is Guarded =>
  policy?.requires === "session" || policy?.requires === "signed_in";

/** Prepares a policy table for lookups by path. Throws for a path that `patternOf` does not support. */
export function readPolicies(table: Record<string, Policy>) {
  const fixed = new Map(Object.entries(table).filter(([path]) => !path.includes("[")));
  const patterns = Object.entries(table)
    .filter(([path]) => path.includes("["))
    .toSorted(([a], [b]) => compareSpecificity(a, b))
    .map(([path, policy]) => ({ pattern: patternOf(path), policy }));

  const guardedFixed = new Map(
    [...fixed].flatMap(([path, policy]) => (isGuarded(policy) ? [[path.toLowerCase(), policy.requires]] : [])),
  );
  const guardedPatterns = patterns.flatMap(({ pattern, policy }) =>
    isGuarded(policy) ? [{ pattern: new RegExp(pattern.source, "i"), requires: policy.requires }] : [],
  );

  /** The policy of the route that serves this path. Case and encoding count, as they do for Next and our own server. */
  function policyAt(pathname: string): Policy | undefined {
    return fixed.get(pathname) ?? patterns.find(({ pattern }) => pattern.test(pathname))?.policy;
  }

  const reactFixed = new Set([...fixed].flatMap(([path, { kind }]) => (kind === "react" ? [path] : [])));
  const hasReactPatterns = patterns.some(({ policy }) => policy.kind === "react");

  /** Does Next render this path? Asked on every request, so that handlers cost one lookup. */
  function isReactPage(pathname: string): boolean {
    return reactFixed.has(pathname) || (hasReactPatterns && policyAt(pathname)?.kind === "react");
  }

  /**
   * The session that the guard requires for a request. `path` is the normalized path, `sent` returns it as the caller
   * wrote it. Every spelling that could lead to a guarded route is guarded; only a path sent in normal form can match a
   * more specific open route.
   */
  function requirementOf(path: string, sent: () => string): SessionRequirement | undefined {
    const requires = guardedFixed.get(path) ?? guardedPatterns.find(({ pattern }) => pattern.test(path))?.requires;
    if (requires === undefined || sent() !== path) return requires;
    const policy = policyAt(path);
    return isGuarded(policy) ? policy.requires : undefined;
  }

  return { policyAt, isReactPage, requirementOf };
}

export const { policyAt, isReactPage, requirementOf } = readPolicies(POLICIES);
