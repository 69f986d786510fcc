import type { Environment } from "@gatehouse/auth";
import type { Db, WriteQuery } from "@gatehouse/db/query/db";
import type { Mode } from "@gatehouse/webhooks";

/** Why a handler runs: the event is new · an earlier run failed · a person ran it again, alone or with others. */
export const TRIGGERS = ["initial", "automatic", "manual", "bulk"] as const;
export type Trigger = (typeof TRIGGERS)[number];

/** What is known of an event beside its payload. */
export type EventFacts = {
  /** The provider's id; null if it gave none. */
  id: string | null;
  type: string | null;
  provider: string;
  /** The endpoint's slug: the last segment of its URL. */
  endpoint: string;
  /** The one that the delivery arrived in, even if the endpoint has moved to another one since. */
  environment: Environment;
  /**
   * What the provider marks the event as; null if it has no such mark. It can contradict the environment if somebody
   * entered another endpoint's URL at the provider.
   */
  mode: Mode | null;
  /** The delivery that brought the event first. */
  deliveryId: string;
  /** When that delivery arrived, Unix seconds. */
  receivedAt: number;
  trigger: Trigger;
  /** 1 for the first run of this handler for this event. */
  attempt: number;
};

/** What a handler works with, beside the payload. */
export type HandlerContext = {
  event: EventFacts;
  /** Aborts when the handler's time is up or the server stops. Pass it to everything that waits. */
  signal: AbortSignal;
  /** Unix seconds. */
  now: () => number;
  /** The endpoint's own options, such as `apiBaseUrl`. */
  settings: Readonly<Record<string, unknown>>;
  /**
   * The endpoint's API key for the provider; undefined if it has none, or none of the event's environment. Read it at
   * each run: it can change.
   */
  apiKey(): Promise<string | undefined>;
  /** Sends a request to the provider. See {@link SendRequest}. */
  request: SendRequest;
  /** The database, for reads, and for writes that may happen twice. */
  db: Db;
  /**
   * Commits the writes and the mark that they happened in one transaction. Resolves to false, with no effect, if this
   * handler has committed `name` for this event before, in any process. Rejects with {@link LostJob} if another process
   * has taken over the job.
   */
  once(name: string, writes: readonly WriteQuery[]): Promise<boolean>;
  log: Log;
};

/** Where a handler reports, with the event's facts in each line. */
export type Log = Record<"info" | "warn" | "error", (fields: object, message: string) => void>;

/**
 * Sends GET, or POST if there is a body (a form if no `content-type` says otherwise), and resolves to the response,
 * whatever its status. Only to https, on public addresses (and to loopback while the issuer is there); no redirects, 10
 * s and 4 MiB at most.
 */
export type SendRequest = (url: string, options?: RequestOptions) => Promise<RequestAnswer>;
export type RequestOptions = { headers?: Readonly<Record<string, string>>; body?: string; signal?: AbortSignal };
/** Header names are in lower case. */
export type RequestAnswer = {
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  text: string;
};
