import type { RefusalDetail } from "@gatehouse/auth";
import { duration } from "./duration.ts";

/** One line of evidence: what it is, and its value as text. */
export type Fact = { label: string; value: string };

/** How each recorded detail reads. Those without a line here are shown by their names. */
const FACTS: Record<string, (value: string | number | boolean) => Fact> = {
  expiredBySeconds: (value) => ({ label: "Expired", value: `${duration(Number(value))} before the request` }),
  retiredSecondsAgo: (value) => ({ label: "Retired", value: `${duration(Number(value))} before the request` }),
  aheadBySeconds: (value) => ({
    label: "Clock of the caller",
    value:
      Number(value) >= 0
        ? `${duration(Number(value))} ahead`
        : `${duration(Number(value))} behind, or the proof is old`,
  }),
  waitSeconds: (value) => ({ label: "Wait", value: duration(Number(value)) }),
  intervalSeconds: (value) => ({ label: "Poll at most every", value: duration(Number(value)) }),
  secretEnvironment: (value) => ({ label: "The secret belongs to", value: String(value) }),
  environment: (value) => ({ label: "The client belongs to", value: String(value) }),
  token: (value) => ({ label: "Scope", value: String(value) }),
  grantType: (value) => ({ label: "Grant type", value: String(value) }),
  sent: (value) => ({ label: "Sent", value: String(value) }),
  userId: (value) => ({ label: "User id", value: String(value) }),
  pushedBy: (value) => ({ label: "Pushed by", value: String(value) }),
};

/** Shown in another form. */
const ELSEWHERE = new Set(["nearest", "differsAt", "secretId"]);

/** The recorded details of a refusal, as people read them. CO-47. */
export function factsOf(detail: RefusalDetail, { withSent }: { withSent: boolean }): Fact[] {
  return Object.entries(detail).flatMap(([name, value]) => {
    if (value === null || ELSEWHERE.has(name) || (name === "sent" && !withSent)) return [];
    return [FACTS[name]?.(value) ?? { label: humanised(name), value: String(value) }];
  });
}

/** `exchangeChain` reads `Exchange chain`. */
function humanised(name: string): string {
  const words = name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}
