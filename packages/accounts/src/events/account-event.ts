import { type Deps, mintTimeOrderedId } from "@gatehouse/auth";
import type { AccountEventKind } from "./kinds.ts";

/** Names and counts; never a secret. */
export type AccountEventDetail = Record<string, string | number | boolean | null>;

/** One line of an account's activity. */
export type AccountEvent = {
  /** Time-ordered. */
  id: string;
  userId: string;
  /** Unix seconds. */
  at: number;
  kind: AccountEventKind;
  userAgent: string | null;
  address: string | null;
  detail: AccountEventDetail;
};

/** The browser that caused an event; nulls for an operator. */
export type EventSource = Pick<AccountEvent, "userAgent" | "address">;

const USER_AGENT_LENGTH = 256;

/** An event of now, for {@link AccountRecord}. */
export function accountEvent(
  kind: AccountEventKind,
  { userId, source, detail = {} }: { userId: string; source: EventSource; detail?: AccountEventDetail },
  { now, random }: Pick<Deps, "now" | "random">,
): AccountEvent {
  const { userAgent, address } = source;
  const id = mintTimeOrderedId({ now, random });
  return { id, userId, at: now(), kind, userAgent: userAgent?.slice(0, USER_AGENT_LENGTH) ?? null, address, detail };
}
