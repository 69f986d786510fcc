import { TRPCError } from "@trpc/server";
import { z } from "zod";
import { type Book, MOST_BOOKS, shelfOf } from "./shelf";
import { protectedProcedure, router } from "./trpc";

const title = z.string().trim().min(1).max(120);

export const appRouter = router({
  books: router({
    list: protectedProcedure.query(({ ctx }): readonly Book[] => shelfOf(ctx.auth.userId).books),

    add: protectedProcedure.input(z.strictObject({ title })).mutation(({ ctx, input }) => {
      const { books } = shelfOf(ctx.auth.userId);
      if (books.length >= MOST_BOOKS)
        throw new TRPCError({ code: "CONFLICT", message: `The list is full: it has ${MOST_BOOKS} books.` });
      books.push({ id: crypto.randomUUID(), title: input.title });
    }),
  }),
});

export type AppRouter = typeof appRouter;
