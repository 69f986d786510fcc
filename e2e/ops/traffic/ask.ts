import type { Call, Client, Reply } from "./client.ts";
import type { Ledger } from "./ledger.ts";
import { judge, type Outcome } from "./outcomes.ts";

export type Answered = Extract<Reply, { headers: unknown }>;

/** What every story of the traffic uses. */
export type Asking = {
  ledger: Ledger;
  outcomes: Outcome[];
  /**
   * Sends a request and notes its outcome. Resolves to the response if it has one of the statuses `expected`, 200 if
   * none are given, and is not `unavailable`: some endpoints say that in a redirect.
   */
  ask(
    kind: string,
    call: Call,
    expected?: readonly number[],
    unavailable?: (answer: Answered) => boolean,
  ): Promise<Answered | undefined>;
  /** Notes what must never happen. */
  violate(what: string): void;
};

/** Enough to see what went wrong, however often it does. */
const MOST_VIOLATIONS = 50;

export function startAsking(client: Client, ledger: Ledger): Asking {
  const outcomes: Outcome[] = [];
  const violate = (what: string) => {
    if (ledger.violations.length < MOST_VIOLATIONS)
      ledger.violations.push(`${new Date().toISOString().slice(11, 23)} ${what}`);
  };
  return {
    ledger,
    outcomes,
    violate,
    async ask(kind, call, expected = [200], unavailable = () => false) {
      const at = performance.now();
      const reply = await client.send(call);
      const judged = judge(reply, expected);
      const isOutage = judged.result === "answered" && "headers" in reply && unavailable(reply);
      const { result, detail } = isOutage ? { result: "unavailable" as const, detail: "redirect" } : judged;
      outcomes.push({ kind, at, ms: performance.now() - at, result, detail });
      if (result === "wrong") violate(`${kind}: ${detail}`);
      return result === "answered" && "headers" in reply ? reply : undefined;
    },
  };
}
