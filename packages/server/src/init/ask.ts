import { isCancel, select } from "@clack/prompts";
import { type Ask, askNobody, UnsureError } from "./unsure.ts";

/** Asks the user on a terminal; without one, nobody. PK-19 */
export const ask: Ask = async (question) => {
  if (!process.stdin.isTTY || !process.stdout.isTTY) return askNobody(question);
  const { title, seen, choices } = question;
  const options = choices.map(({ value, label }) => ({ value: value as string, label }));
  const answer = await select({ message: `${seen} ${title}`, options });
  const chosen = choices.find(({ value }) => value === answer);
  if (isCancel(answer) || chosen === undefined) throw new UnsureError("Nothing was chosen, and nothing was written.");
  return chosen.value;
};
