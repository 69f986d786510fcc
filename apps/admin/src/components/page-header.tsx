"use client";

import type { ReactNode } from "react";
import { sectionOf } from "@/navigation.ts";
import type { Environment } from "@/trpc/types.ts";
import { PageFrame } from "./page-frame.tsx";

type Props = {
  title: string;
  description?: ReactNode;
  back?: { href: string; label: string };
  action?: ReactNode;
  /** One line of facts about an object. */
  facts?: ReactNode;
  /** The environment that the page is bound to. Production is marked in the header. */
  environment?: Environment;
};

/** A page's title, description, section and main action. */
export function PageHeader({ title, description, back, action, facts, environment }: Props) {
  const section = back && sectionOf(back.href);
  return (
    <PageFrame
      title={title}
      description={description}
      crumbs={section ? [{ label: section.label, href: section.href }] : []}
      facts={facts}
      actions={action}
      environment={environment}
    />
  );
}
