import type { Jar } from "../cookies/jar.ts";
import { base64url } from "../cookies/seal.ts";
import { GatehouseError } from "../error.ts";
import type { SessionStore } from "../options.ts";
import type { SessionSettings } from "../settings.ts";
import { type Payload, payloadOf } from "./payload.ts";

/** A session as it was found. */
export type Held = { payload: Payload; key: string };

/** Where sessions are kept. The arrays are `Set-Cookie` values. */
export type SessionStorage = {
  /** Renewed tokens need `Set-Cookie` to be kept. */
  needsCookies: boolean;
  read(headers: Headers): Promise<Held | undefined>;
  /** Keeps a new session; undefined if it is too large. */
  create(payload: Payload, headers: Headers): Promise<string[] | undefined>;
  /** Keeps new tokens of a session that was found. */
  update(held: Held, payload: Payload, headers: Headers): Promise<string[]>;
  remove(held: Held, headers: Headers): Promise<string[]>;
  removeBySid(sid: string): Promise<void>;
};

/** Sessions in sealed cookies. */
export function cookieStorage(jar: Jar, { onError }: Pick<SessionSettings, "onError">): SessionStorage {
  return {
    needsCookies: true,
    async read(headers) {
      const sealed = jar.sessionText(headers);
      const payload = sealed === undefined ? undefined : payloadOf(await jar.sessions.open(sealed));
      return payload && { payload, key: "" };
    },
    create: async (payload, headers) => jar.setSession(await jar.sessions.seal(payload), headers),
    async update(_, payload, headers) {
      const cookies = jar.setSession(await jar.sessions.seal(payload), headers);
      if (!cookies) onError(new GatehouseError("session_too_large", TOO_LARGE));
      return cookies ?? [];
    },
    remove: async (_, headers) => jar.clearSession(headers),
    removeBySid: async () => {},
  };
}

export const TOO_LARGE =
  "The session does not fit into four cookies. Request fewer scopes, or pass the option `store`.";

/** An id in a cookie: 256 bits. */
const ID_BYTES = 32;
const ID = /^[\w-]{43}$/;

/**
 * Sessions in a store of the app; the cookie holds a random id. The store gets the id's hash and a sealed value, so that
 * what it leaks opens no session. PK-28.
 */
export function storeStorage(jar: Jar, store: SessionStore, settings: SessionSettings): SessionStorage {
  const { random, now } = settings;
  const entryOf = ({ sid }: Payload) => ({ sid, expiresAt: Math.floor(now() / 1000) + KEPT_SECONDS });
  return {
    needsCookies: false,
    async read(headers) {
      const id = jar.sessionText(headers);
      if (id === undefined || !ID.test(id)) return undefined;
      const key = await keyOf(id);
      const sealed = await reached(() => store.get(key));
      const payload = typeof sealed === "string" ? payloadOf(await jar.sessions.open(sealed)) : undefined;
      return payload && { payload, key };
    },
    async create(payload, headers) {
      const id = base64url(random(ID_BYTES));
      const [key, sealed] = await Promise.all([keyOf(id), jar.sessions.seal(payload)]);
      await reached(() => store.set(key, sealed, entryOf(payload)));
      return jar.setSession(id, headers);
    },
    async update({ key }, payload) {
      // Deleted meanwhile: the user signed out while the tokens were renewed. N83.
      const isKept = typeof (await reached(() => store.get(key))) === "string";
      const sealed = await jar.sessions.seal(payload);
      if (isKept) await reached(() => store.set(key, sealed, entryOf(payload)));
      return [];
    },
    async remove({ key }, headers) {
      await reached(() => store.delete(key));
      return jar.clearSession(headers);
    },
    removeBySid: (sid) => reached(() => store.deleteBySid(sid)),
  };
}

const KEPT_SECONDS = 30 * 86_400;

async function keyOf(id: string): Promise<string> {
  return base64url(new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(id))));
}

async function reached<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (cause) {
    throw new GatehouseError("unavailable", "the session store cannot be reached", { cause, retryAfterSeconds: 5 });
  }
}
