import type { SessionSettings } from "../settings.ts";
import { chunkName, joinValue, MAX_CHUNKS, MAX_COOKIE_BYTES, splitValue } from "./chunks.ts";
import { cookiesOf, setCookie } from "./header.ts";
import { type CookieNames, cookieNames } from "./names.ts";
import { base64url, createSeal, type Seal } from "./seal.ts";

/** How long a browser keeps the session cookie. When the session itself ends is up to the server. */
const SESSION_SECONDS = 30 * 86_400;
export const SIGN_IN_SECONDS = 30 * 60;

/** Reads and writes the cookies of this app. */
export type Jar = {
  names: CookieNames;
  /** The text of the session cookie, joined; undefined without a whole one. */
  sessionText(headers: Headers): string | undefined;
  /** `Set-Cookie` values for a session; undefined if it does not fit. Also deletes chunks that the request still had. */
  setSession(text: string, headers: Headers): string[] | undefined;
  clearSession(headers: Headers): string[];
  /** Deletes everything of this app, whatever the request sent. */
  clearAll(): string[];
  /** What the browser has of sign-ins, opened; undefined if there are none. */
  openSignIns(headers: Headers): Promise<unknown>;
  /** One `Set-Cookie` value; undefined if it does not fit. */
  setSignIns(value: unknown): Promise<string | undefined>;
  clearSignIns(): string;
  /** Seals sessions. */
  sessions: Seal;
  /** Seals what a sign-in has to fulfil. */
  demands: Seal;
};

export async function createJar(settings: SessionSettings): Promise<Jar> {
  const { clientId, cookieSecrets, random, apps } = settings;
  const secure = apps[0].origin.startsWith("https:");
  const names = await cookieNames(settings, { secure });
  const [sessions, signIns, demands] = await Promise.all([
    createSeal(cookieSecrets, { purpose: "session", clientId, name: names.session }),
    createSeal(cookieSecrets, { purpose: "sign-ins", clientId, name: names.signIns }),
    createSeal(cookieSecrets, { purpose: "sign-in demand", clientId, name: "demand" }),
  ]);
  const clear = (name: string) => setCookie(name, "", { secure, maxAge: 0 });
  const chunkNames = Array.from({ length: MAX_CHUNKS }, (_, index) => chunkName(names.session, index));

  return {
    names,
    sessions,
    demands,
    sessionText: (headers) => joinValue(names.session, cookiesOf(headers)),
    setSession(text, headers) {
      const chunks = splitValue(names.session, text, base64url(random(6)));
      if (!chunks) return undefined;
      const sent = cookiesOf(headers);
      const left = chunkNames.slice(chunks.length).filter((name) => sent.has(name));
      return [
        ...chunks.map(([name, value]) => setCookie(name, value, { secure, maxAge: SESSION_SECONDS })),
        ...left.map(clear),
      ];
    },
    clearSession(headers) {
      const sent = cookiesOf(headers);
      return chunkNames.filter((name) => sent.has(name)).map(clear);
    },
    clearAll: () => [...chunkNames, names.signIns].map(clear),
    async openSignIns(headers) {
      const sealed = cookiesOf(headers).get(names.signIns);
      return sealed === undefined ? undefined : signIns.open(sealed);
    },
    async setSignIns(value) {
      const sealed = await signIns.seal(value);
      if (names.signIns.length + 1 + sealed.length > MAX_COOKIE_BYTES) return undefined;
      return setCookie(names.signIns, sealed, { secure, maxAge: SIGN_IN_SECONDS });
    },
    clearSignIns: () => clear(names.signIns),
  };
}
