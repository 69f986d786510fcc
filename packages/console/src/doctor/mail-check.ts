import type { Finding } from "@gatehouse/webhooks/doctor";
import type { OperationDeps } from "../deps.ts";

/** What the doctor says about mail. EM-01. */
export async function checkMail({ outbox }: Pick<OperationDeps, "outbox">): Promise<Finding> {
  const finding = { check: "mail", endpoint: null, title: "Mail can be sent" };
  if (!outbox?.tryServer) {
    const sentence =
      outbox?.delivery === "mailbox"
        ? "No mail server is set; what mails say is in the console under Mail."
        : "Mail is off. Set GATEHOUSE_SMTP_URL and GATEHOUSE_MAIL_FROM to turn it on.";
    return { ...finding, state: "skipped", seen: "–", sentence, fix: null };
  }
  const answer = await outbox.tryServer();
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
    fix: "Check the host, port, user and password in GATEHOUSE_SMTP_URL, and that this machine may reach them.",
  };
}
