import { mintTimeOrderedId } from "@gatehouse/auth";
import { lines } from "@gatehouse/console/fields";
import { pagedInput, positionOf } from "@gatehouse/console/paging";
import { router } from "@gatehouse/console/trpc";
import { toPage } from "@gatehouse/db/query/page";
import { TRPCError } from "@trpc/server";
import { z } from "zod";
import { requires } from "../requires.ts";
import { deleteNote, insertNote, listNotes } from "./queries.ts";

const id = z.string().min(1).max(64);
const draft = z.strictObject({ text: lines.trim().min(1, "write something").max(2000, "use at most 2000 characters") });
const page = pagedInput({ cursor: z.string().max(200).nullish(), limit: z.int().min(1).max(100).default(20) }).default({
  limit: 20,
});
/** `createdAt` in Unix seconds. */
const note = z.object({ id, text: z.string(), createdAt: z.int() });

/** The caller's own notes. */
export const notesRouter = router({
  /** Newest first; `nextCursor` is null on the last page. */
  list: requires({ scope: "notes:read" })
    .input(page)
    .output(z.object({ items: z.array(note), nextCursor: z.string().nullable() }))
    .query(async ({ ctx: { deps, principal }, input: { cursor, limit } }) => {
      const rows = await listNotes(deps.db, { userId: principal.userId, position: positionOf(cursor), limit });
      return toPage({ rows }, limit, ({ createdAt, id }) => ({ at: createdAt, id }));
    }),

  create: requires({ scope: "notes:write" })
    .input(draft)
    .output(note)
    .mutation(async ({ ctx: { deps, principal }, input: { text } }) => {
      const created = { id: mintTimeOrderedId(deps), text, createdAt: deps.now() };
      await insertNote(deps.db, { ...created, userId: principal.userId });
      return created;
    }),

  remove: requires({ scope: "notes:write" })
    .input(z.strictObject({ id }))
    .output(z.void())
    .mutation(async ({ ctx: { deps, principal }, input }) => {
      const deleted = await deleteNote(deps.db, { id: input.id, userId: principal.userId });
      if (!deleted) throw new TRPCError({ code: "NOT_FOUND", message: "There is no such note." });
    }),
});
