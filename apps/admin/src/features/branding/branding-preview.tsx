"use client";

import { Skeleton } from "@mantine/core";
import { useIntersection } from "@mantine/hooks";
import { useOnDemand } from "@/components/on-demand.tsx";
import type { Props } from "./branding-pages.tsx";

const loadPages = () => import("./branding-pages.tsx");

/**
 * The server's own pages with what is typed in the form, once they are near the window: they load two of them. CO-68.
 */
export function BrandingPreview(props: Props) {
  const { ref, entry } = useIntersection<HTMLDivElement>({ rootMargin: "300px" });
  const loaded = useOnDemand(loadPages, entry?.isIntersecting ?? false);
  return loaded ? <loaded.BrandingPages {...props} /> : <Skeleton ref={ref} height={400} />;
}
