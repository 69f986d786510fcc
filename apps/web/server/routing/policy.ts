import { patternOf } from "./pattern.ts";
import { ACCESS, type Policy, type SessionDemand } from "./policy-table.ts";

type Guarded = Policy & { demand: SessionDemand };
const isGuarded = (policy: Policy | undefined): policy is Guarded => policy?.demand === "session" || policy?.demand === "signed_in";

/** Reads a policy table by path. Throws for a route that it cannot name. */
export function readTable(table: Record<string, Policy>) {
  const named = new Map(Object.entries(table).filter(([path]) => !path.includes("[")));
  const patterns = Object.entries(table)
    .filter(([path]) => path.includes("["))
    .toSorted(([a], [b]) => (rankOf(a) < rankOf(b) ? -1 : 1))
    .map(([path, policy]) => ({ pattern: patternOf(path), policy }));

  const guardedNames = new Map([...named].flatMap(([path, policy]) => (isGuarded(policy) ? [[path.toLowerCase(), policy.demand]] : [])));
  const guardedPatterns = patterns.flatMap(({ pattern, policy }) =>
    isGuarded(policy) ? [{ pattern: new RegExp(pattern.source, "i"), demand: policy.demand }] : [],
  );

  /** The policy of the route that a path leads to, byte for byte as Next and our own server match it. */
  function policyAt(pathname: string): Policy | undefined {
    return named.get(pathname) ?? patterns.find(({ pattern }) => pattern.test(pathname))?.policy;
  }

  /**
   * What the gate demands of a request: `path` in normal form, `sent` as the caller wrote it. A guarded route is guarded
   * under every spelling that could lead to it. Only a path in normal form may belong to a more specific open route.
   */
  function demandOf(path: string, sent: () => string): SessionDemand | undefined {
    const demand = guardedNames.get(path) ?? guardedPatterns.find(({ pattern }) => pattern.test(path))?.demand;
    if (demand === undefined || sent() !== path) return demand;
    const policy = policyAt(path);
    return isGuarded(policy) ? policy.demand : undefined;
  }

  return { policyAt, demandOf };
}

/** Segments as Next tries them: a name first, then `[one]`, `[...rest]` and `[[...rest]]`. */
function rankOf(path: string): string {
  const ranks = path.split("/").map((segment) => ["[[", "[...", "["].findIndex((start) => segment.startsWith(start)));
  return ranks.map((rank) => (rank === -1 ? 0 : 3 - rank)).join("");
}

export const { policyAt, demandOf } = readTable(ACCESS);
