"use server";
import { auth } from "../../auth.ts";

export async function whoAmI(): Promise<string> {
  const { user } = await auth.protect();
  return `You are ${user.email}`;
}
