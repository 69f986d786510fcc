import type { Environment } from "@/trpc/types.ts";
import { ENVIRONMENTS } from "./environments.tsx";

type Titled = { title: string; section?: string | undefined; environment?: Environment | undefined };

/**
 * `<object> (production) · <section>`: the document's title without the product's name, which the layout adds. CO-06.
 */
export function pageTitle({ title, section, environment }: Titled): string {
  const object = environment === undefined ? title : `${title} (${ENVIRONMENTS[environment].label.toLowerCase()})`;
  return section === undefined || section === title ? object : `${object} · ${section}`;
}
