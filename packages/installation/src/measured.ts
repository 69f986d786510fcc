import type { Usage } from "@gatehouse/auth";
import type { Stats } from "@gatehouse/db/stores/stats/store";
import { metrics } from "@gatehouse/runtime/metrics";
import { outcomeOf, type ReceiveDeps } from "@gatehouse/webhooks";

/** Where the protocol refuses. A path can be anything that a caller invents, so others count as `*`. OP-75 */
const ENDPOINTS = new Set([
  ...["/authorize", "/token", "/par", "/introspect", "/revoke", "/userinfo", "/logout"],
  ...["/device_authorization", "/device", "/register", "/api/resource", "/trpc", "/sign-in", "/consent"],
]);

/** Counts what the protocol reports, besides what `usage` does with it. OP-75 */
export function measureUsage(usage: Stats["usage"]): Usage {
  const issued = remember((grantType, format) => metrics.tokensIssued.series(grantType, format));
  // From 0: Prometheus sees no increase where a series begins.
  const [retries, attacks] = [metrics.refreshReuse.series("retry"), metrics.refreshReuse.series("attack")];
  return {
    ...usage,
    tokenIssued(client, grantType, scope, format) {
      usage.tokenIssued(client, grantType, scope);
      issued(grantType, format).add();
    },
    refreshRepeated: () => retries.add(),
    signInEnded(factor, cause, clientId) {
      usage.signInEnded(factor, cause, clientId);
      metrics.signIns.series(factor, cause === null ? "succeeded" : "failed").add();
    },
    refused(cause, clientId, endpoint) {
      usage.refused(cause, clientId);
      metrics.refusals.series(ENDPOINTS.has(endpoint) ? endpoint : "*", cause).add();
      if (cause === "refresh_token_reused") attacks.add();
    },
  };
}

/** Counts webhook deliveries. OP-75 */
export function measureDeliveries(): NonNullable<ReceiveDeps["onOutcome"]> {
  const deliveries = remember((provider, reason) =>
    metrics.webhookDeliveries.series(provider, outcomeFor(reason), reason),
  );
  const acks = remember((provider) => metrics.webhookAck.series(provider));
  return (provider, reason, seconds) => {
    deliveries(provider, reason).add();
    acks(provider, "").observe(seconds);
  };
}

type Reason = Parameters<NonNullable<ReceiveDeps["onOutcome"]>>[1];

function outcomeFor(reason: string): string {
  const named = reason as Reason;
  return named === "unavailable" ? "failed" : named === "provider_unknown" ? "rejected" : outcomeOf(named);
}

/** Keeps what is made of two words from closed lists. */
function remember<Value>(make: (one: string, two: string) => Value): (one: string, two: string) => Value {
  const made = new Map<string, Map<string, Value>>();
  return (one, two) => {
    const known = made.get(one)?.get(two);
    if (known !== undefined) return known;
    const value = make(one, two);
    made.set(one, (made.get(one) ?? new Map()).set(two, value));
    return value;
  };
}
