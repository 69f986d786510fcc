import { isSameOrigin } from "@gatehouse/guard/routes";
import { appUrlOf } from "../app-url.ts";
import type { Context } from "../context.ts";
import { GatehouseError } from "../error.ts";
import { isWithin } from "../process-state.ts";
import { LEFT_ALONE_MS, RETRY_AFTER_SECONDS } from "../server/outcome.ts";
import { check } from "./check.ts";
import { hasEnded, isOutdated } from "./ended.ts";
import type { Renewal } from "./outcomes.ts";
import { type Payload, sessionOf } from "./payload.ts";
import type { Reading, ReadOptions } from "./reading.ts";
import { expiresSoon, isExpired, knownRenewal, renew } from "./renewal.ts";
import type { Held } from "./storage.ts";

type Asked = { request: Pick<Request, "method" | "headers">; held: Held; options: ReadOptions; context: Context };

const SIGNED_OUT: Reading = { kind: "signed_out", setCookies: [] };
const SAFE_METHODS = ["GET", "HEAD", "OPTIONS"];

/**
 * Reads the session of a request: opens it, renews tokens that expire soon (PK-31) and asks the server every few seconds
 * whether it is active (PK-33). Where the server does not answer, the session serves until its access token expires
 * (PK-32). Never throws for anything that a request contains.
 */
export async function readSession(
  request: Pick<Request, "method" | "headers">,
  options: ReadOptions,
  context: Context,
): Promise<Reading> {
  const { settings, storage } = context;
  try {
    const held = await storage.read(request.headers);
    if (!held) return SIGNED_OUT;
    // PK-54: pages of sibling hosts and of other ports can make a browser send the cookie too.
    if (!SAFE_METHODS.includes(request.method) && !isSameOrigin(request, appUrlOf(request, settings).origin))
      return { kind: "cross_origin", setCookies: [] };
    if (hasEnded(held.payload, context)) return SIGNED_OUT;
    if (settings.environment !== undefined && settings.environment !== held.payload.environment) return SIGNED_OUT; // PK-36
    const reading = await readHeld({ request, held, options, context });
    if (hasEnded(held.payload, context) && reading.kind === "signed_in") return SIGNED_OUT;
    return isOutdated(held.payload, context) ? { ...reading, setCookies: [] } : reading;
  } catch (error) {
    if (!(error instanceof GatehouseError && error.code === "unavailable")) throw error;
    settings.onError(error);
    return unavailable(error);
  }
}

async function readHeld(asked: Asked): Promise<Reading> {
  const { held, options, context } = asked;
  const { settings } = context;
  const { payload } = held;
  const now = settings.now();
  // A server that is down is left alone while the token still serves: each attempt can take seconds.
  const canWait = !isExpired(payload, now) && isWithin(context.state.downAt, LEFT_ALONE_MS, now);
  if (expiresSoon(payload, now) && !canWait) {
    const renewal = await tryToRenew(asked);
    if (renewal?.kind === "ended") return ended(asked);
    if (renewal?.kind === "renewed") return checked(asked, renewal.payload);
    if (isExpired(payload, settings.now())) return renewal ? unavailable(renewal.error) : SIGNED_OUT;
  }

  const status = await check(payload, { checkSeconds: settings.checkSeconds, live: options.live ?? false }, context);
  if (status.kind === "active") return signedIn(payload, []);
  if (status.kind === "unknown") return options.live ? unavailable(status.error) : signedIn(payload, []);
  if (status.kind === "foreign") return ended(asked);
  // The session may have outlived this access token: the refresh token decides.
  const renewal = await tryToRenew(asked);
  if (renewal?.kind === "renewed") return signedIn(renewal.payload, await kept(asked, renewal.payload));
  return renewal?.kind === "failed" ? unavailable(renewal.error) : ended(asked);
}

/** A session with tokens that are new: of this request, or of one a moment ago. */
async function checked(asked: Asked, payload: Payload): Promise<Reading> {
  const { options, context } = asked;
  const { checkSeconds } = context.settings;
  const status = await check(payload, { checkSeconds, live: options.live ?? false }, context);
  if (status.kind === "inactive" || status.kind === "foreign") return ended(asked);
  if (status.kind === "unknown" && options.live) return unavailable(status.error);
  return signedIn(payload, await kept(asked, payload));
}

/**
 * Undefined where the tokens cannot be renewed: without a refresh token, and where a rotated one could not be kept, so
 * that the next request would present the spent one. PK-31.
 */
async function tryToRenew({ held, options, context }: Asked): Promise<Renewal | undefined> {
  const { refreshToken } = held.payload;
  if (refreshToken === null) return undefined;
  const payload = { ...held.payload, refreshToken };
  const { settings, storage } = context;
  if (settings.rotation && storage.needsCookies && !options.canSetCookies) return knownRenewal(payload, context);
  return renew(payload, context);
}

/** Keeps renewed tokens, unless the user has signed out meanwhile. PK-34, N83. */
async function kept({ request, held, options, context }: Asked, payload: Payload): Promise<string[]> {
  const { storage } = context;
  if (isOutdated(payload, context)) return [];
  return storage.needsCookies && !options.canSetCookies ? [] : storage.update(held, payload, request.headers);
}

async function ended({ request, held, options, context }: Asked): Promise<Reading> {
  const { storage } = context;
  const setCookies = await storage.remove(held, request.headers);
  return { kind: "signed_out", setCookies: options.canSetCookies ? setCookies : [] };
}

function signedIn(payload: Payload, setCookies: readonly string[]): Reading {
  return { kind: "signed_in", session: sessionOf(payload), accessToken: payload.accessToken, setCookies };
}

function unavailable({ retryAfterSeconds = RETRY_AFTER_SECONDS }: GatehouseError): Reading {
  return { kind: "unavailable", retryAfterSeconds, setCookies: [] };
}
