import type { Status, StatusItem } from "@/trpc/types.ts";

type Level = Status["level"];

const WORST_FIRST: readonly Level[] = ["failed", "warning", "ok"];

/** The items in the order of the page: what is worst first, otherwise as they come. */
export function worstFirst<Item extends Pick<StatusItem, "level">>(items: readonly Item[]): Item[] {
  return WORST_FIRST.flatMap((level) => items.filter((item) => item.level === level));
}

/** The answer to "is it well?", in a few words. */
export function headline(items: readonly Pick<StatusItem, "level">[]): string {
  const count = (level: Level) => items.filter((item) => item.level === level).length;
  const [failed, warnings] = [count("failed"), count("warning")];
  const warned = `${warnings} ${warnings === 1 ? "warning" : "warnings"}`;
  if (failed > 0) return warnings > 0 ? `${failed} failed, ${warned}` : `${failed} failed`;
  return warnings > 0 ? warned : "All well";
}
