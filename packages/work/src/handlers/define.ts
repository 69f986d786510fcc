import { FORWARDING, type ProviderSlug } from "@gatehouse/webhooks";
import type { HandlerContext } from "./context.ts";
import type { KnownEvents } from "./events.ts";

/**
 * Handles one event. The event counts as handled when the promise resolves; if it rejects, the handler runs again
 * later.
 */
export type Run<Payload> = (payload: Payload, context: HandlerContext) => Promise<void>;

/** A handler with settings. */
export type HandlerSettings<Payload> = {
  run: Run<Payload>;
  /** A run that takes longer has failed. 30 by default, 300 at most. */
  timeoutSeconds?: number;
  /** How many runs of this handler may overlap in a process. No limit of its own by default. */
  concurrency?: number;
  /** The number of failed runs after which the event is dead, until someone runs it again. 8 by default. */
  maxAttempts?: number;
  /**
   * Runs events with the same key one after the other, in the order of their arrival: those about one object
   * (`"object"`), or those for which the function returns the same text.
   */
  orderBy?: "object" | ((payload: Payload) => string | null);
};

export type Handler<Payload> = Run<Payload> | HandlerSettings<Payload>;

type AnyEvents = Record<string, unknown>;
type EventsOf<Slug> = Slug extends keyof KnownEvents ? KnownEvents[Slug] : AnyEvents;

/** A provider's handlers by event type. `*` handles every event of the provider, beside the handler of its type. */
export type HandlersOf<Slug> = Slug extends keyof KnownEvents
  ? { [Type in keyof EventsOf<Slug>]?: Handler<EventsOf<Slug>[Type]> } & {
      "*"?: Handler<EventsOf<Slug>[keyof EventsOf<Slug>]>;
    }
  : { [type: string]: Handler<unknown> };

/** The handlers of a product, by provider. */
export type HandlerMap = { [Slug in ProviderSlug | keyof KnownEvents]?: HandlersOf<Slug> };

/** One handler with every setting filled in. `name` is its event type, or `*`. */
export type DefinedHandler = Required<Omit<HandlerSettings<unknown>, "concurrency" | "orderBy">> & {
  name: string;
  concurrency: number | null;
  orderBy: HandlerSettings<unknown>["orderBy"] | null;
};

/** What {@link defineHandlers} returns. */
export type Handlers = {
  /** The handlers of an event, by its provider and type. */
  of(provider: string, type: string | null): readonly DefinedHandler[];
  /** One handler by its name; undefined if it is no longer defined. */
  find(provider: string, name: string): DefinedHandler | undefined;
  all(): readonly { provider: string; handler: DefinedHandler }[];
};

const DEFAULTS = { timeoutSeconds: 30, maxAttempts: 8, concurrency: null, orderBy: null } as const;
const LONGEST_TIMEOUT_SECONDS = 300;
const EVERY = "*";

/**
 * Defines what happens when an event arrives. With types per provider and event where the vendor publishes them: a
 * misspelt event of Stripe does not compile. Throws for a setting that is out of bounds.
 */
export function defineHandlers(map: HandlerMap): Handlers {
  const providers = new Map<string, Map<string, DefinedHandler>>();
  for (const [provider, handlers] of Object.entries<Record<string, Handler<never>>>(map as never)) {
    const defined = Object.entries(handlers).map(([name, handler]) =>
      define(provider, name, handler as Handler<unknown>),
    );
    providers.set(provider, new Map(defined.map((one) => [one.name, one])));
  }
  const find = (provider: string, name: string) => providers.get(provider)?.get(name);
  return {
    find,
    all: () => [...providers].flatMap(([provider, own]) => [...own.values()].map((handler) => ({ provider, handler }))),
    of(provider, type) {
      const own = type === null || type === EVERY ? undefined : find(provider, type);
      return [own, find(provider, EVERY)].filter((one) => one !== undefined);
    },
  };
}

function define(provider: string, name: string, handler: Handler<unknown>): DefinedHandler {
  if (name === FORWARDING) throw new Error(`The handler ${provider} ${name}: this name is reserved for forwarding.`);
  const defined = { ...DEFAULTS, ...(typeof handler === "function" ? { run: handler } : handler), name };
  const check = (field: "timeoutSeconds" | "maxAttempts" | "concurrency", most: number) => {
    const value = defined[field];
    if (value !== null && (!Number.isInteger(value) || value < 1 || value > most))
      throw new Error(`The handler ${provider} ${name}: ${field} must be a whole number from 1 to ${most}.`);
  };
  check("timeoutSeconds", LONGEST_TIMEOUT_SECONDS);
  check("maxAttempts", 100);
  check("concurrency", 100);
  return defined;
}
