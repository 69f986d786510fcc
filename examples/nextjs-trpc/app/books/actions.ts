"use server";

import { refresh } from "next/cache";
import { z } from "zod";
import { auth } from "../../auth";
import { shelfOf } from "../../server/shelf";

const goal = z.coerce.number().int().min(1).max(100);

/** Anybody can call a Server Action, whatever page it is on: it checks for itself. */
export async function setGoal(form: FormData): Promise<void> {
  const { user } = await auth.protect();
  const wanted = goal.safeParse(form.get("goal"));
  if (wanted.success) shelfOf(user.id).goal = wanted.data; // the form says what is valid
  refresh();
}
