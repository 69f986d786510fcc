import type { Enrolment, Session } from "@gatehouse/auth";
import { hasSecondStep } from "../gate/gate.ts";

/** For how long a confirmed sign-in allows sensitive changes. SN-03. */
export const SUDO_SECONDS = 600;

/** Was the first factor proved recently enough for sensitive changes? Times in Unix seconds. SN-03. */
export function isConfirmed({ authTime }: Pick<Session, "authTime">, now: number): boolean {
  return now - authTime < SUDO_SECONDS;
}

/** What a user has to prove again before a sensitive change: the first factor, and the second one if there is one. SN-03. */
export function missingProofs(
  session: Pick<Session, "authTime" | "secondAt">,
  enrolment: Enrolment,
  now: number,
): { first: boolean; second: boolean } {
  const isRecent = session.secondAt !== null && now - session.secondAt < SUDO_SECONDS;
  return { first: !isConfirmed(session, now), second: hasSecondStep(enrolment) && !isRecent };
}
