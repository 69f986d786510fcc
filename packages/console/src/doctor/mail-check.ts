import type { Finding } from "@gatehouse/webhooks/doctor";
import type { OperationDeps } from "../deps.ts";
import { adviceFor } from "../mails/advice.ts";

/** What the doctor says about mail. EM-01. */
export async function checkMail({ outbox }: Pick<OperationDeps, "outbox">): Promise<Finding> {
  const finding = { check: "mail", endpoint: null, title: "Mail can be sent" };
  const answer = await outbox?.tryServer();
  if (answer === undefined) {
    const sentence =
      outbox?.delivery === "mailbox"
        ? "No mail server is set; what mails say is in the console under Mail."
        : "Mail is off, because no mail server is set.";
    return { ...finding, state: "skipped", seen: "–", sentence, fix: null };
  }
  if (answer === null)
    return {
      ...finding,
      state: "ok",
      seen: "a sign-in to the SMTP server",
      sentence: "The SMTP server takes mail.",
      fix: null,
    };
  return {
    ...finding,
    state: "failed",
    seen: answer,
    sentence: "The SMTP server does not take mail, so nobody receives sign-up codes, reset links or security notices.",
    fix: `${adviceFor(answer) ?? "Check its host, port, user and password."} It is set under Settings, Mail, or in GATEHOUSE_SMTP_URL.`,
  };
}
