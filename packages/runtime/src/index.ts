// Addresses, limits, and the keys that limits count by.

export { networkOf, plainAddress } from "./address.mjs";
export { isLoopbackAddress, isPrivateAddress, isPublicAddress } from "./public-address.ts";
export { createRowLimiter, type RowLimiter } from "./row-limiter.ts";
export { createShareLimiter, type ShareLimiter, type ShareLimits } from "./share-limiter.ts";
export { callerKey, networkKey, siteKey, subjectKey, type ThrottleKey } from "./throttle-key.ts";

// URLs.

export { isUrl, MAX_URL_LENGTH, parseUrl } from "./url.ts";

// Bodies, bounded in size and time.

export { BODY_SECONDS, BodyError, type BodyProblem, collect, readBytes, readText, type TakesArrived } from "./body.ts";

// Requests that a browser sends ahead of its user.

export { isPrefetch, refusePrefetch } from "./prefetch.ts";

// How programs end.

export { exitCodeOf } from "./exit-code.ts";

// Names of cookies.

export { cookieName } from "./cookie-name.ts";
