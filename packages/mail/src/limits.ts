import { foldEmail, type Limit } from "@gatehouse/accounts";
import type { Caller } from "@gatehouse/auth";
import type { RateLimiter } from "@gatehouse/db/stores/rate-limits/rate-limiter";
import { callerKey, subjectKey, type ThrottleKey } from "@gatehouse/runtime";

const HOUR = 3600;

/** AB-07. Mails that anybody can cause by typing an address; every kind counts alike. */
const RECIPIENT_HOUR = { name: "mails by recipient in an hour", failures: 5, windowSeconds: HOUR };
const RECIPIENT_DAY = { name: "mails by recipient in a day", failures: 10, windowSeconds: 24 * HOUR };
/**
 * The same for a browser in which the recipient has signed in, which is no stranger's: strangers cannot use up its
 * mails. AB-03.
 */
const BROWSER_HOUR = { name: "mails by known browser in an hour", failures: 5, windowSeconds: HOUR };
const BROWSER_DAY = { name: "mails by known browser in a day", failures: 10, windowSeconds: 24 * HOUR };
const CALLER = { name: "mails by address", failures: 60, windowSeconds: HOUR };

/**
 * Of those, notices can take so many. The rest is for links and codes, so that a stranger's account keeps nobody from
 * proving the address.
 */
const NOTICES_HOUR = { name: "notices by recipient in an hour", failures: 3, windowSeconds: HOUR };
const NOTICES_DAY = { name: "notices by recipient in a day", failures: 6, windowSeconds: 24 * HOUR };

/** All such mails together, in an hour. */
const BURST = { name: "mails in all", windowSeconds: HOUR };
/**
 * Those that are asked for in known browsers, apart: strangers cannot fill it. Beyond it, each recipient gets a few.
 * AB-03.
 */
const KNOWN_BURST = { name: "mails to known browsers in all", windowSeconds: HOUR };
const BEYOND_KNOWN_BURST = { name: "mails by recipient beyond that", failures: 2, windowSeconds: HOUR };

type Limiter = Pick<RateLimiter, "attempt" | "check">;

/** Why a mail is not sent. The page that asked for it looks the same. */
export type HeldBack = "limit_recipient" | "limit_burst";

const EVERYBODY = subjectKey("everybody");

/**
 * Counts mails with the limiters that `limiterFor` makes. `burst`: how many go out in an hour, to all recipients
 * together; asked at each mail, since admins change it.
 */
export function createMailLimits(limiterFor: (limit: Limit) => Limiter, burst: () => number) {
  const caller = limiterFor(CALLER);
  const upToBurst = (limit: Omit<Limit, "failures">) =>
    limiterFor({
      ...limit,
      get failures() {
        return burst();
      },
    });
  const [all, allKnown] = [upToBurst(BURST), upToBurst(KNOWN_BURST)];
  const beyondKnown = limiterFor(BEYOND_KNOWN_BURST);
  // The hour first: what it holds back does not count for the day.
  const ofRecipient = [limiterFor(RECIPIENT_HOUR), limiterFor(RECIPIENT_DAY)];
  const ofBrowser = [limiterFor(BROWSER_HOUR), limiterFor(BROWSER_DAY)];
  const noticesOfRecipient = [limiterFor(NOTICES_HOUR), limiterFor(NOTICES_DAY)];

  const keyOf = (recipient: string) => subjectKey("account", foldEmail(recipient));

  const isOver = async (key: ThrottleKey, limiters: readonly Limiter[]) => {
    for (const limiter of limiters) if ((await limiter.attempt(key)) > 0) return true;
    return false;
  };

  async function count(
    key: ThrottleKey,
    limiters: readonly Limiter[],
    deliver: boolean,
  ): Promise<HeldBack | undefined> {
    if (await isOver(key, limiters)) return "limit_recipient";
    // Mails to nobody do not count here, or made-up addresses could silence everybody's.
    return (await (deliver ? all.attempt(EVERYBODY) : all.check(EVERYBODY))) > 0 ? "limit_burst" : undefined;
  }

  async function countInBrowser(recipient: string, browserId: string): Promise<HeldBack | undefined> {
    if (await isOver(subjectKey("browser", `${browserId} ${foldEmail(recipient)}`), ofBrowser))
      return "limit_recipient";
    if ((await allKnown.attempt(EVERYBODY)) === 0) return undefined;
    return (await beyondKnown.attempt(keyOf(recipient))) > 0 ? "limit_burst" : undefined;
  }

  return {
    /** Counts a mail for its caller. Returns 0, or the seconds to wait. */
    countCaller: (from: Caller) => caller.attempt(callerKey(from)),

    /**
     * Counts a mail for its recipient, or the recipient's own browser, and for all if it would be sent: those of
     * strangers and those of known browsers apart. Returns why it must not be.
     */
    holdBack: (recipient: string, { deliver, browserId }: { deliver: boolean; browserId?: string | undefined }) =>
      browserId !== undefined && deliver
        ? countInBrowser(recipient, browserId)
        : count(keyOf(recipient), ofRecipient, deliver),

    /** The same for a notice. */
    holdNoticeBack: (recipient: string) => count(keyOf(recipient), [...noticesOfRecipient, ...ofRecipient], true),

    /**
     * Seconds until mails that strangers cause are sent again, while the limit for all of them is reached; otherwise 0.
     */
    burstSeconds: () => all.check(EVERYBODY),
  };
}

export type MailLimits = ReturnType<typeof createMailLimits>;
