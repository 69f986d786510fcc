"use client";

import type { ReactNode } from "react";
import { sectionOf } from "@/navigation.ts";
import { PageFrame } from "./page-frame.tsx";

type Props = {
  title: string;
  description?: ReactNode;
  back?: { href: string; label: string };
  action?: ReactNode;
  /** One line of facts about an object. */
  facts?: ReactNode;
};

/** A page's title, description, section and main action. */
export function PageHeader({ title, description, back, action, facts }: Props) {
  const section = back && sectionOf(back.href);
  return (
    <PageFrame
      title={title}
      description={description}
      crumbs={section ? [{ label: section.label, href: section.href }] : []}
      facts={facts}
      actions={action}
    />
  );
}
