"use client";

import { Button, Group, ScrollArea, TextInput, UnstyledButton } from "@mantine/core";
import { IconCheck } from "@tabler/icons-react";
import dayjs from "dayjs";
import { useEffect, useRef, useState } from "react";
import type { FilterField, FilterValue, Option } from "./fields.ts";
import styles from "./filter-bar.module.css";

/** From this many options on, a field narrows them down. */
const SEARCHABLE = 9;

type Props<Field extends FilterField = FilterField> = {
  field: Field;
  value: FilterValue;
  apply: (value: FilterValue) => void;
};
type Of<Kind extends FilterField["kind"]> = Extract<FilterField, { kind: Kind }>;

/** Chooses the value of one filter. */
export function FilterEditor({ field, value, apply }: Props) {
  if (field.kind === "choice") return <ChoiceEditor field={field} value={value} apply={apply} />;
  if (field.kind === "instant") return <InstantEditor field={field} value={value} apply={apply} />;
  return <TextEditor field={field} value={value} apply={apply} />;
}

function ChoiceEditor({ field, value, apply }: Props<Of<"choice">>) {
  const [text, setText] = useState("");
  const searchable = field.options.length >= SEARCHABLE;
  const wanted = text.trim().toLowerCase();
  const found = field.options.filter((option) => option.label.toLowerCase().includes(wanted));
  const list = useRef<HTMLUListElement>(null);
  const focus = useFocusOnOpen();
  return (
    <div ref={focus}>
      {searchable && (
        <TextInput
          size="xs"
          mb={4}
          aria-label={`Search ${field.label}`}
          placeholder={field.label}
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
          onKeyDown={({ key }) => {
            if (key === "Enter" && found[0]) apply(found[0].value);
            if (key === "ArrowDown") list.current?.querySelector("button")?.focus();
          }}
        />
      )}
      <ScrollArea.Autosize mah={280} type="auto">
        <ul className={styles["options"]} aria-label={field.label} ref={list}>
          {found.map((option) => (
            <OptionRow
              key={option.value}
              option={option}
              chosen={option.value === value}
              choose={() => apply(option.value)}
            />
          ))}
        </ul>
        {found.length === 0 && (
          <p className={styles["none"]}>{field.options.length === 0 ? "Nothing to choose yet" : "No match"}</p>
        )}
      </ScrollArea.Autosize>
    </div>
  );
}

function OptionRow({ option, chosen, choose }: { option: Option; chosen: boolean; choose: () => void }) {
  return (
    <li>
      <UnstyledButton className={styles["option"]} aria-pressed={chosen} onClick={choose}>
        <bdi>{option.label}</bdi>
        {chosen && <IconCheck size={14} aria-hidden="true" />}
      </UnstyledButton>
    </li>
  );
}

function TextEditor({ field, value, apply }: Props<Of<"text">>) {
  const [text, setText] = useState(String(value));
  const focus = useFocusOnOpen();
  return (
    <form
      ref={focus}
      onSubmit={(event) => {
        event.preventDefault();
        apply(text.trim());
      }}
    >
      <Group gap={6} align="flex-end" wrap="nowrap">
        <TextInput
          size="xs"
          label={field.label}
          value={text}
          maxLength={field.maxLength}
          spellCheck={false}
          autoCapitalize="off"
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
        <Button size="xs" type="submit">
          Apply
        </Button>
      </Group>
    </form>
  );
}

function InstantEditor({ field, value, apply }: Props<Of<"instant">>) {
  const [text, setText] = useState(value === "" ? "" : dayjs.unix(Number(value)).format("YYYY-MM-DDTHH:mm"));
  const focus = useFocusOnOpen();
  return (
    <form
      ref={focus}
      onSubmit={(event) => {
        event.preventDefault();
        apply(text === "" ? "" : dayjs(text).unix());
      }}
    >
      <Group gap={6} align="flex-end" wrap="nowrap">
        <TextInput
          type="datetime-local"
          size="xs"
          label={field.label}
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
        <Button size="xs" type="submit">
          Apply
        </Button>
      </Group>
    </form>
  );
}

/** Focuses the first control: the popover's focus trap has run already when the second step of "+ Filter" appears. */
function useFocusOnOpen<Element extends HTMLElement>() {
  const element = useRef<Element & HTMLFormElement & HTMLDivElement>(null);
  useEffect(() => {
    element.current?.querySelector<HTMLElement>("input, button")?.focus();
  }, []);
  return element;
}
