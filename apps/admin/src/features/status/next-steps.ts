import type { StatusItem } from "@/trpc/types.ts";

type Of<Value> = Readonly<Partial<Record<StatusItem["name"], Value>>>;

/** The headings of docs/operations.md that say what to do about an item without an alert, as anchors. */
export const SECTIONS: Of<string> = {
  database: "gatehousedatabaseerrors",
  schema: "upgrades",
  certificate: "gatehousecertificateexpires",
};

/** The pages of the console that show more about an item. */
export const PAGES: Of<{ href: string; label: string }> = {
  deliveries: { href: "/deliveries?environment=all", label: "Open deliveries" },
  refusals: { href: "/failures", label: "Open failures" },
  signingKeys: { href: "/keys", label: "Open signing keys" },
};

/** Where the repository says what to do about an item: a file and a heading, as the alerts name it. */
export function runbookOf({ name, alert }: Pick<StatusItem, "name" | "alert">): string | undefined {
  const section = alert?.toLowerCase() ?? SECTIONS[name];
  return section === undefined ? undefined : `docs/operations.md#${section}`;
}
