import { foldEmail } from "@gatehouse/accounts";
import type { Caller } from "@gatehouse/auth";
import type { RateLimiter } from "@gatehouse/db";
import { callerKey, subjectKey } from "@gatehouse/net";

const HOUR = 3600;

/** AB-07. Mails that anybody can cause by typing an address; every kind counts alike. */
export const MAIL_LIMITS = {
  recipientHour: { name: "mails by recipient in an hour", failures: 5, windowSeconds: HOUR },
  recipientDay: { name: "mails by recipient in a day", failures: 10, windowSeconds: 24 * HOUR },
  caller: { name: "mails by address", failures: 60, windowSeconds: HOUR },
} as const;

/** All such mails together, in an hour. */
export const burstLimit = (mails: number) => ({ name: "mails in all", failures: mails, windowSeconds: HOUR });

type Limiter = Pick<RateLimiter, "attempt" | "check">;
export type MailLimiters = Record<keyof typeof MAIL_LIMITS | "burst", Limiter>;

/** Why a mail is not sent. The page that asked for it looks the same. */
export type HeldBack = "limit_recipient" | "limit_burst";

const EVERYBODY = subjectKey("everybody");

/** Counts mails in the database, for all processes. */
export function createMailLimits(limiters: MailLimiters) {
  return {
    /** Counts a mail for its caller. Returns 0, or the seconds to wait. */
    countCaller: (caller: Caller) => limiters.caller.attempt(callerKey(caller)),

    /** Counts a mail for its recipient, and for all if it would be sent. Returns why it must not be. */
    async holdBack(recipient: string, deliver: boolean): Promise<HeldBack | undefined> {
      const key = subjectKey("account", foldEmail(recipient));
      // The hour first: what it holds back does not count for the day.
      if ((await limiters.recipientHour.attempt(key)) > 0) return "limit_recipient";
      if ((await limiters.recipientDay.attempt(key)) > 0) return "limit_recipient";
      // Mails to nobody do not count here, or made-up addresses could silence everybody's.
      const { burst } = limiters;
      return (await (deliver ? burst.attempt(EVERYBODY) : burst.check(EVERYBODY))) > 0 ? "limit_burst" : undefined;
    },

    /** Seconds until mails are sent again, while the limit for all together is reached; otherwise 0. */
    burstSeconds: () => limiters.burst.check(EVERYBODY),
  };
}

export type MailLimits = ReturnType<typeof createMailLimits>;
