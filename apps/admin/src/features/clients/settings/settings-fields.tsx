"use client";

import { Collapse, Stack, Title, UnstyledButton } from "@mantine/core";
import { IconChevronRight } from "@tabler/icons-react";
import { memo, type ReactNode, useDeferredValue, useId, useState } from "react";
import { useOnDemand } from "@/components/on-demand.tsx";
import type { ClientSettings, ClientType, Environment } from "@/trpc/types.ts";
import { type Field, fieldsFor, isSameAt, type Place, type Section, type SettingsForm } from "./field.ts";
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

/**
 * The sections of a client's settings, shared by registration and editing. A change is drawn in its own field at once,
 * and in the others, whose hints and presence can depend on it, when the browser has time.
 */
export function SettingsFields({ form, type, environment, after = {} }: Props) {
  const settled = useDeferredValue(form.values);
  useOnDemand(loadKeysInput, false);
  return SECTIONS.map((section) => (
    <SectionFields
      key={section.id}
      section={section}
      form={form}
      errors={form.errors}
      values={section.fields.some(({ path }) => !isSameAt(path, form.values, settled)) ? form.values : settled}
      settled={settled}
      type={type}
      environment={environment}
      after={after[section.id]}
    />
  ));
}

type Drawn = Omit<Props, "after"> & { errors: SettingsForm["errors"]; values: ClientSettings };
type SectionProps = Drawn & { section: Section; settled: ClientSettings; after: ReactNode };

const SectionFields = memo(function SectionFields({ section, settled, after, ...drawn }: SectionProps) {
  const { form, errors, values, type, environment } = drawn;
  const place: Place = { type, environment, settings: settled };
  const fields = fieldsFor(section, place, errors);
  if (fields.length === 0) return null;
  return (
    <SectionFrame section={section} summary={section.summary?.(place)} forced={hasErrors(fields, errors)}>
      {fields.map((field) => (
        <DrawnField
          key={field.path}
          field={field}
          form={form}
          errors={errors}
          values={isSameAt(field.path, values, settled) ? settled : values}
          type={type}
          environment={environment}
        />
      ))}
      {after}
    </SectionFrame>
  );
}, drawsTheSame);

const DrawnField = memo(function DrawnField({
  field,
  form,
  errors,
  values,
  type,
  environment,
}: Drawn & { field: Field }) {
  return (
    <FieldInput form={{ ...form, values, errors }} field={field} place={{ type, environment, settings: values }} />
  );
}, drawsTheSame);

/**
 * The form itself is another object each time. What a field shows of it is in the other properties, and what it calls
 * stays the same.
 */
function drawsTheSame<P extends Drawn>({ form: _, ...before }: P, { form: __, ...after }: P): boolean {
  return Object.entries(before).every(([name, value]) => value === Reflect.get(after, name));
}

const hasErrors = (fields: readonly Field[], errors: SettingsForm["errors"]) =>
  Object.keys(errors).some((shown) => fields.some(({ path }) => shown === path || shown.startsWith(`${path}.`)));

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
