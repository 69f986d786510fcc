"use client";

import { Collapse, Stack, Title, UnstyledButton } from "@mantine/core";
import { IconChevronRight } from "@tabler/icons-react";
import { type ReactNode, useId, useState } from "react";
import { useOnDemand } from "@/components/on-demand.tsx";
import type { ClientType, Environment } from "@/trpc/types.ts";
import { type Field, fieldsFor, type Place, type Section, type SettingsForm } from "./field.ts";
import { FieldInput, loadKeysInput } from "./field-input.tsx";
import { SECTIONS } from "./sections.ts";
import styles from "./settings.module.css";

type Props = {
  form: SettingsForm;
  type: ClientType;
  environment: Environment;
  /** Below the fields of a section, by its id. */
  after?: Readonly<Record<string, ReactNode>>;
};

/** The sections of a client's settings, shared by registration and editing. */
export function SettingsFields({ form, type, environment, after = {} }: Props) {
  const place: Place = { type, environment, settings: form.values };
  useOnDemand(loadKeysInput, false);
  return SECTIONS.map((section) => {
    const fields = fieldsFor(section, place, form.errors);
    if (fields.length === 0) return null;
    return (
      <SectionFrame key={section.id} section={section} summary={section.summary?.(place)} forced={hasErrors(fields, form)}>
        {fields.map((field) => (
          <FieldInput key={field.path} form={form} field={field} place={place} />
        ))}
        {after[section.id]}
      </SectionFrame>
    );
  });
}

const hasErrors = (fields: readonly Field[], form: SettingsForm) =>
  Object.keys(form.errors).some((shown) => fields.some(({ path }) => shown === path || shown.startsWith(`${path}.`)));

type FrameProps = {
  section: Section;
  /** Folds the section, and says what applies. */
  summary?: string | undefined;
  /** Open, whatever the user chose. */
  forced?: boolean;
  children: ReactNode;
};

/** One section: title and sentence at the left, its fields at the right. */
export function SectionFrame({ section: { title, text }, summary, forced = false, children }: FrameProps) {
  const id = useId();
  const [chosen, setChosen] = useState(false);
  const open = summary === undefined || chosen || forced;
  return (
    <section className={styles["section"]} aria-labelledby={id}>
      <div>
        <Title order={2} className={styles["title"] ?? ""} id={id}>
          {title}
        </Title>
        <p className={styles["text"]}>{text}</p>
      </div>
      <div className={styles["fields"]}>
        {summary !== undefined && (
          <UnstyledButton
            className={styles["fold"] ?? ""}
            aria-expanded={open}
            aria-controls={`${id}-fields`}
            aria-label={`${title}: ${summary}`}
            onClick={() => setChosen(!open)}
          >
            <IconChevronRight size={16} aria-hidden="true" />
            {summary}
          </UnstyledButton>
        )}
        <Collapse expanded={open} id={`${id}-fields`}>
          {open && <Stack gap="lg">{children}</Stack>}
        </Collapse>
      </div>
    </section>
  );
}
