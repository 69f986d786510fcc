"use client";

import Link from "next/link";
import type { ReactNode } from "react";
import frame from "@/components/frame/frame.module.css";
import { PageFrame } from "@/components/page-frame.tsx";
import { TabRow } from "@/components/page-tabs.tsx";
import { SETTINGS_SECTIONS, type SettingsSection } from "./sections.ts";

type Props = { section: SettingsSection; description: ReactNode; actions?: ReactNode };

const CRUMBS = [{ label: "Settings", href: "/settings/general" }];

/** The head of a page of the settings, with the way to the others. */
export function SettingsFrame({ section, description, actions }: Props) {
  const title = SETTINGS_SECTIONS.find(({ value }) => value === section)?.label ?? section;
  return (
    <>
      <PageFrame title={title} crumbs={CRUMBS} description={description} actions={actions} />
      <div className={frame["sections"]} style={{ marginBottom: 24 }}>
        <TabRow current={section}>
          {SETTINGS_SECTIONS.map(({ value, label }) => (
            <Link key={value} href={`/settings/${value}`} aria-current={value === section ? "page" : undefined}>
              {label}
            </Link>
          ))}
        </TabRow>
      </div>
    </>
  );
}
