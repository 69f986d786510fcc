import type { Finding } from "./finding.ts";
import { spanText } from "./span-text.ts";

/** Why a timestamp is outside of the window. All in Unix seconds. */
export function findClockProblem(times: {
  signedAt: number;
  receivedAt: number;
  toleranceSeconds: number | null;
}): Finding {
  const { signedAt, receivedAt, toleranceSeconds } = times;
  // A time in milliseconds lies tens of thousands of years ahead.
  if (Math.abs(signedAt / 1000 - receivedAt) < 86_400) {
    return {
      kind: "milliseconds",
      sentence: "The timestamp is in milliseconds, and this provider's is in seconds.",
      fix: "Send Unix seconds.",
    };
  }
  // A time in seconds that is read as milliseconds lies in January 1970.
  if (Math.abs(signedAt * 1000 - receivedAt) < 86_400) {
    return {
      kind: "milliseconds",
      sentence: "The timestamp is in seconds, and this provider's is in milliseconds.",
      fix: "Send Unix milliseconds.",
    };
  }
  const allowed = toleranceSeconds === null ? "" : ` ${spanText(toleranceSeconds)} are allowed.`;
  const span = spanText(Math.abs(signedAt - receivedAt));
  if (signedAt > receivedAt) {
    return {
      kind: "clock",
      sentence: `The delivery was signed ${span} after it arrived by this server's clock.${allowed}`,
      fix: "Check that this server's clock is synchronised (NTP), and the sender's too.",
    };
  }
  return {
    kind: "clock",
    sentence: `The delivery was signed ${span} before it arrived.${allowed}`,
    fix: "If all deliveries are late, check this server's clock (NTP). If only this one is, it waited in a queue or was sent again unchanged.",
  };
}
