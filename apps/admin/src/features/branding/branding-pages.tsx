"use client";

import { Group, SegmentedControl, Text } from "@mantine/core";
import { useDebouncedValue, useElementSize } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTRPC } from "@/trpc/client.tsx";
import { messageOf } from "@/trpc/errors.ts";
import classes from "./branding-preview.module.css";

const PAGES = [
  { value: "sign-in", label: "Sign-in" },
  { value: "consent", label: "Consent" },
  { value: "device", label: "Device" },
];
const THEMES = [
  { value: "light", label: "Light" },
  { value: "dark", label: "Dark" },
];
/** As wide as a phone, in CSS pixels; high enough for the consent page. */
const SIZE = { width: 390, height: 760 };
const TYPING_MS = 400;
/** Shorter than the server shows a preview. */
const STALE_MS = 30 * 60 * 1_000;

export type Props = {
  /** Null for the installation itself. */
  applicationId: string | null;
  /** What the form has; empty values are left out. */
  settings: Readonly<Record<string, string>>;
  /** Changes when the pages change for another reason, such as a new logo. */
  version: number;
};

/** The server's own pages in both themes, with what is typed in the form. CO-68. */
export function BrandingPages({ applicationId, settings, version }: Props) {
  const trpc = useTRPC();
  const [page, setPage] = useState("sign-in");
  const [typed] = useDebouncedValue(JSON.stringify(settings), TYPING_MS);
  const draft = { applicationId, settings: JSON.parse(typed) as Record<string, string> };
  const options = { staleTime: STALE_MS, placeholderData: keepPreviousData };
  const { data, error } = useQuery(trpc.branding.preview.queryOptions(draft, options));
  return (
    <section className={classes["preview"]} aria-label="Preview">
      <Group justify="space-between" gap="sm" w="100%">
        <Text size="sm" fw={600}>
          Preview
        </Text>
        <SegmentedControl data={PAGES} value={page} onChange={setPage} aria-label="Page" size="xs" />
      </Group>
      <div className={classes["both"]}>
        {THEMES.map(({ value, label }) => (
          <figure key={value}>
            <Picture
              label={`The ${pageNamed(page)} page, ${value} theme`}
              src={data && `${data.url}&${new URLSearchParams({ page, theme: value, v: String(version) })}`}
            />
            <figcaption>{label}</figcaption>
          </figure>
        ))}
      </div>
      {data?.leftOut.map(({ path, message }) => (
        <Text key={path} size="sm" c="dimmed">
          The preview leaves out “{draft.settings[path]}”, which {message}.
        </Text>
      ))}
      {error && (
        <Text size="sm" role="alert">
          The preview could not be loaded. {messageOf(error)}
        </Text>
      )}
    </section>
  );
}

const pageNamed = (page: string) => PAGES.find(({ value }) => value === page)?.label.toLowerCase();

/** A page of the server, as large as there is room. Nothing in it can be used. */
function Picture({ label, src }: { label: string; src: string | undefined }) {
  const { ref, width } = useElementSize();
  return (
    <div
      ref={ref}
      role="img"
      aria-label={label}
      className={classes["frame"]}
      style={{ aspectRatio: `${SIZE.width} / ${SIZE.height}` }}
    >
      {src !== undefined && width > 0 && (
        <iframe
          key={src}
          src={src}
          title={label}
          sandbox="allow-same-origin"
          referrerPolicy="no-referrer"
          inert
          tabIndex={-1}
          style={{ ...SIZE, transform: `scale(${width / SIZE.width})` }}
        />
      )}
    </div>
  );
}
