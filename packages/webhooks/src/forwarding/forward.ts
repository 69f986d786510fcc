import type { Forward } from "../endpoint.ts";

/** What forwarding is called among the handlers of an event. No handler can have this name. */
export const FORWARDING = "@forward";

/** Whether an event of this type is forwarded. */
export function forwards({ events }: Pick<Forward, "events">, type: string | null): boolean {
  if (events === null) return true;
  return type !== null && events.some((wanted) => isOfType(wanted, type));
}

const isOfType = (wanted: string, type: string) =>
  wanted.endsWith("*") ? type.startsWith(wanted.slice(0, -1)) : type === wanted;
