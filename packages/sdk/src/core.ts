import { requireSessionDemand, type SessionDemand } from "./accept.ts";
import type { Context } from "./context.ts";
import { createJar } from "./cookies/jar.ts";
import { type SignInOptions, signInPath } from "./handlers/demand.ts";
import { handlerName } from "./handlers/handler-name.ts";
import type { GatehouseOptions } from "./options.ts";
import { sharedState } from "./process-state.ts";
import type { Refusal } from "./refusal/refusal.ts";
import { refuse } from "./refusal/refuse.ts";
import { lackingIn } from "./refusal/required.ts";
import { readSession } from "./session/read.ts";
import type { Reading, ReadOptions } from "./session/reading.ts";
import type { Session } from "./session/session.ts";
import { cookieStorage, storeStorage } from "./session/storage.ts";
import { readSessionSettings, type SessionSettings } from "./settings.ts";

/** What is read of a request. `url` may be a path; its host is not trusted. */
export type Incoming = Pick<Request, "method" | "headers" | "url">;

/** The session of a request that may pass, or why it may not. `setCookies` as in `Reading`. */
export type Protected = { setCookies: readonly string[] } & (
  | { ok: true; session: Session; accessToken: string }
  | { ok: false; refusal: Refusal }
);

/**
 * What every adapter is built on: Next, Express, Hono and tRPC call these functions, and know nothing else of cookies,
 * tokens or the server. Each of them rejects with GatehouseError `configuration` while a setting is missing.
 */
export type Core = {
  settings(): Promise<SessionSettings>;
  /** Reads the session. Calls for the same request object are one reading, unless `live` asks again. */
  read(request: Pick<Incoming, "method" | "headers">, options: ReadOptions): Promise<Reading>;
  /**
   * Reads the session and compares it with what is required. A demand that accepts access tokens is an error: they are
   * checked elsewhere.
   */
  protect(
    request: Pick<Incoming, "method" | "headers">,
    demand: SessionDemand,
    options: ReadOptions,
  ): Promise<Protected>;
  /**
   * The response to a refused request: a redirect to sign in for a navigation, JSON for a fetch. `setCookies` are sent
   * along. `url` has to be that which the browser sees, with the base path.
   */
  refuse(request: Incoming, refusal: Refusal, setCookies?: readonly string[]): Promise<Response>;
  /**
   * The path, with the base path, that signs the user in and returns to `returnTo`, a path of this app. What is required
   * of the sign-in is sealed into it, so that a link cannot weaken it.
   */
  signInPath(options: SignInOptions): Promise<string>;
  /** Answers a request for one of the handlers below `path`; undefined for any other path. */
  handle(request: Request): Promise<Response | undefined>;
};

/** Makes the core of an app. Nothing is read or asked before the first call. PK-12. */
export function createCore(options: GatehouseOptions): Core {
  let opened: Promise<Context> | undefined;
  const open = () =>
    (opened ??= openContext(options).catch((error: unknown) => {
      opened = undefined; // the next call reads the settings again
      throw error;
    }));
  const readings = new WeakMap<object, Promise<Reading>>();

  const read: Core["read"] = async (request, readOptions) => {
    const known = readOptions.live ? undefined : readings.get(request);
    if (known) return known;
    const reading = open().then((context) => readSession(request, readOptions, context));
    readings.set(request, reading);
    reading.catch(() => readings.delete(request)); // the next call tries again
    return reading;
  };

  return {
    settings: async () => (await open()).settings,
    read,
    async protect(request, demand, readOptions) {
      requireSessionDemand(demand);
      const { settings } = await open();
      const reading = await read(request, { ...readOptions, live: demand.live });
      const { setCookies } = reading;
      if (reading.kind === "signed_in") {
        const refusal = lackingIn(reading.session, demand, settings.now());
        if (refusal) return { ok: false, refusal, setCookies };
        return { ok: true, session: reading.session, accessToken: reading.accessToken, setCookies };
      }
      return { ok: false, refusal: refusalOf(reading), setCookies };
    },
    refuse: async (request, refusal, setCookies = []) => refuse(request, refusal, setCookies, await open()),
    async signInPath(wanted) {
      const context = await open();
      return signInPath(wanted, context.settings.apps[0].basePath, context);
    },
    async handle(request) {
      const context = await open();
      const name = handlerName(request, context);
      if (name === undefined) return undefined;
      const { handle } = await import("./handlers/handlers.ts"); // a proxy in front of them never needs them
      return handle(name, request, context);
    },
  };
}

async function openContext(options: GatehouseOptions): Promise<Context> {
  const settings = readSessionSettings(options);
  const jar = await createJar(settings);
  const storage = settings.store ? storeStorage(jar, settings.store, settings) : cookieStorage(jar, settings);
  return { settings, jar, storage, state: sharedState(settings) };
}

function refusalOf(reading: Exclude<Reading, { kind: "signed_in" }>): Refusal {
  if (reading.kind === "unavailable") return { reason: "unavailable", retryAfterSeconds: reading.retryAfterSeconds };
  return { reason: reading.kind };
}
