import { MAILED_TOKEN_SECONDS } from "../mailed-tokens/mint.ts";
import type { MailedToken } from "../store/mailed-tokens.ts";

/** Whether the code of a mail still counts. The link in the same mail lives longer, since it cannot be guessed. */
export function isCodeFresh({ createdAt }: Pick<MailedToken, "createdAt">, now: number): boolean {
  return now < createdAt + MAILED_TOKEN_SECONDS.code;
}
