import { z } from "zod";
import { exportAuthor } from "../author.ts";
import { at, clientId, id } from "../fields.ts";
import { USER_FILTERS } from "../lists/lists.ts";
import { listExportQuery, listExportTicket, listInput, pagedInput, pageOf } from "../paging.ts";
import { procedure, router } from "../trpc.ts";
import { listConnectedApps } from "./connected-apps.ts";
import { deleteUser, keepUser } from "./delete-user.ts";
import { startUserExport, userExportPage } from "./export/export.ts";
import { userExportDraft, userExportPage as userExportPageView } from "./export/schemas.ts";
import {
  disconnectUserApp,
  disconnectUserApps,
  requireNewPassword,
  resetUserSecondFactors,
  sendResetLink,
  setUserDisabled,
  updateUser,
} from "./manage-users.ts";
import { listUserActivity } from "./profile.ts";
import {
  connectedApp,
  historyEntry,
  managedUser,
  resetFactorsInput,
  userChange,
  userEvent,
  userSecurity,
  userView,
} from "./schemas.ts";
import { countUsers, getUser, getUserSecurity, listUserHistory, listUsers } from "./users.ts";

const nextPage = pagedInput({ id, cursor: z.string().max(64).nullish() });

/** The users who can sign in. Nobody sets another person's password here. UM-03. */
export const usersRouter = router({
  list: procedure({ may: "view", scope: "console:read" })
    .input(listInput(USER_FILTERS))
    .output(pageOf(userView))
    .query(({ ctx, input }) => listUsers(input, ctx.deps)),

  /** How many there are. */
  count: procedure({ may: "view", scope: "console:read" })
    .output(z.int())
    .query(({ ctx }) => countUsers(ctx.deps)),

  get: procedure({ may: "view", scope: "console:read" })
    .input(z.strictObject({ id }))
    .output(userView)
    .query(({ ctx, input }) => getUser(input.id, ctx.deps)),

  security: procedure({ may: "view", scope: "console:read" })
    .input(z.strictObject({ id }))
    .output(userSecurity)
    .query(({ ctx, input }) => getUserSecurity(input.id, ctx.deps)),

  /** The applications that the user has allowed, one for each environment. */
  connectedApps: procedure({ may: "view", scope: "console:read" })
    .input(z.strictObject({ id }))
    .output(z.array(connectedApp))
    .query(({ ctx, input }) => listConnectedApps(input.id, ctx.deps)),

  /** Ends one application's access at once, offline access too. */
  disconnectApp: procedure({ may: "manageUsers", scope: "console:write", fresh: true })
    .input(managedUser.extend({ clientId }))
    .output(z.void())
    .mutation(({ ctx, input }) => disconnectUserApp(input, ctx.actor, ctx.deps)),

  /** What operators did to the user. */
  history: procedure({ may: "view", scope: "console:read" })
    .input(nextPage)
    .output(z.object({ items: z.array(historyEntry), nextCursor: z.string().nullable() }))
    .query(({ ctx, input }) => listUserHistory(input, ctx.deps)),

  /** What happened to the account, as its user sees it. SN-05. */
  events: procedure({ may: "view", scope: "console:read" })
    .input(nextPage)
    .output(z.object({ items: z.array(userEvent), nextCursor: z.string().nullable() }))
    .query(async ({ ctx, input }) => {
      const { events, next } = await listUserActivity(
        { userId: input.id, before: input.cursor ?? undefined },
        ctx.actor,
        ctx.deps,
      );
      return { items: events.map(({ userId: _, ...event }) => event), nextCursor: next ?? null };
    }),

  /** Starts an export, without password hashes, and leaves an audit row. UM-08. */
  export: procedure({ may: "manageUsers", scope: "console:write", fresh: true })
    .input(userExportDraft)
    .output(listExportTicket)
    .mutation(({ ctx, input }) => startUserExport(input, exportAuthor(ctx), ctx.deps)),

  /** The next page of an export that was started. Only reads, but a ticket is too long for the URL of a query. */
  exportPage: procedure({ may: "manageUsers", scope: "console:read", exportTicket: "user export" })
    .input(listExportQuery)
    .output(userExportPageView)
    .mutation(({ ctx, input }) => userExportPage(input, ctx.actor, ctx.deps)),

  update: procedure({ may: "manageUsers", scope: "console:write", fresh: true })
    .input(userChange)
    .output(userView)
    .mutation(({ ctx, input }) => updateUser(input, ctx.actor, ctx.deps)),

  /** Disabling a user ends all sessions, grants and tokens at once, permanently. */
  setDisabled: procedure({ may: "manageUsers", scope: "console:write", fresh: true })
    .input(managedUser.extend({ disabled: z.boolean() }))
    .output(userView)
    .mutation(({ ctx, input }) => setUserDisabled(input, ctx.actor, ctx.deps)),

  /** Ends all access at once; the account is deleted after the grace period. The answer says when; null: already. */
  delete: procedure({ may: "manageUsers", scope: "console:write", fresh: true })
    .input(managedUser)
    .output(z.object({ deleteAfter: at.nullable() }))
    .mutation(({ ctx, input }) => deleteUser(input, ctx.actor, ctx.deps)),

  /** Takes back a deletion that is not done yet. */
  restore: procedure({ may: "manageUsers", scope: "console:write", fresh: true })
    .input(managedUser)
    .output(z.void())
    .mutation(({ ctx, input }) => keepUser(input, ctx.actor, ctx.deps)),

  /** Revokes every token of the user, including those of first-party applications. Sessions continue. */
  revokeTokens: procedure({ may: "manageUsers", scope: "console:write", fresh: true })
    .input(managedUser)
    .output(z.void())
    .mutation(({ ctx, input }) => disconnectUserApps(input, ctx.actor, ctx.deps)),

  /** Nothing about the account changes before the user opens the link. */
  sendResetLink: procedure({ may: "manageUsers", scope: "console:write", fresh: true })
    .input(managedUser)
    .output(z.void())
    .mutation(({ ctx, input }) => sendResetLink(input, ctx.actor, ctx.deps)),

  requirePassword: procedure({ may: "manageUsers", scope: "console:write", fresh: true })
    .input(managedUser)
    .output(z.void())
    .mutation(({ ctx, input }) => requireNewPassword(input, ctx.actor, ctx.deps)),

  /** Also ends all sessions, grants and tokens. */
  resetSecondFactors: procedure({ may: "manageUsers", scope: "console:write", fresh: true })
    .input(resetFactorsInput)
    .output(z.void())
    .mutation(({ ctx, input }) => resetUserSecondFactors(input, ctx.actor, ctx.deps)),
});
