import type { RouterInputs } from "@gatehouse/api/types";
import { OUTCOMES, VERDICTS } from "./verdicts.ts";

type Input = Omit<RouterInputs["deliveries"]["list"], "cursor">;

export const FILTERS = ["provider", "outcome", "reason", "eventType", "eventId", "from", "to"] as const;
export type Filter = (typeof FILTERS)[number];

/** The list's input from the URL, read through `get`; what makes no sense there is left out rather than refused. */
export function deliveryListInput(get: (filter: Filter) => string): Input {
  const text = (filter: Filter) =>
    get(filter)
      .replace(/\p{Cc}/gu, "")
      .trim()
      .slice(0, 200) || undefined;
  const outcome = get("outcome");
  const reason = get("reason");
  return withoutGaps({
    provider: text("provider")?.slice(0, 64),
    outcome: isKeyOf(OUTCOMES, outcome) ? outcome : undefined,
    reason: isKeyOf(VERDICTS, reason) ? reason : undefined,
    eventType: text("eventType"),
    eventId: text("eventId"),
    from: seconds(get("from")),
    to: seconds(get("to")),
    limit: 50,
  });
}

function isKeyOf<T extends object>(table: T, key: string): key is Extract<keyof T, string> {
  return Object.hasOwn(table, key);
}

function seconds(value: string): number | undefined {
  return /^\d{1,10}$/.test(value) ? Number(value) : undefined;
}

/** Query keys are compared as they are: an absent filter must not be there as `undefined` on one side only. */
function withoutGaps(input: Input): Input {
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
}
