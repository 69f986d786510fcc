import { z } from "zod";
import { id } from "../fields.ts";
import { MAIL_FILTERS } from "../lists/lists.ts";
import { listInput, pageOf } from "../paging.ts";
import { procedure, router } from "../trpc.ts";
import { getMail, listMails, mailStatus, readMailContent, retryMail, sendTestMail } from "./mails.ts";
import { mailContent, mailStatusView, mailView } from "./schemas.ts";

/** Mails to users: the outbox, and what mails say where no SMTP server is set. */
export const mailsRouter = router({
  /** What the SMTP server answers can name a recipient, so only admins see it. */
  status: procedure({ may: "manageUsers", scope: "console:read" })
    .output(mailStatusView)
    .query(({ ctx }) => mailStatus(ctx.deps)),

  list: procedure({ may: "manageUsers", scope: "console:read" })
    .input(listInput(MAIL_FILTERS))
    .output(pageOf(mailView))
    .query(({ ctx, input }) => listMails(input, ctx.deps)),

  retry: procedure({ may: "manageProduction", scope: "console:write" })
    .input(z.strictObject({ id }))
    .output(z.void())
    .mutation(({ ctx, input }) => retryMail(input.id, ctx.actor, ctx.deps)),

  get: procedure({ may: "manageUsers", scope: "console:read" })
    .input(z.strictObject({ id }))
    .output(mailView)
    .query(({ ctx, input }) => getMail(input.id, ctx.deps)),

  /** Sends a mail to the caller's own address. CO-69. */
  sendTest: procedure({ may: "manageProduction", scope: "console:write" })
    .output(z.object({ id: z.string(), to: z.string() }))
    .mutation(({ ctx }) => sendTestMail(ctx.actor, ctx.deps)),

  /** A whole mail, with links that sign users in. Only on http://localhost without an SMTP server. EM-02. */
  message: procedure({ may: "manageProduction", scope: "console:read" })
    .input(z.strictObject({ id }))
    .output(mailContent)
    .query(({ ctx, input }) => readMailContent(input.id, ctx.deps)),
});
