"use client";

import { Checkbox, Input, SimpleGrid } from "@mantine/core";
import { memo, type ReactNode, useEffect, useId, useRef, useState } from "react";

type Option = { value: string; label: string; description: string | undefined };
type Props = {
  label: string;
  description: string;
  error: ReactNode;
  options: readonly Option[];
  chosen: readonly string[];
  onChange: (chosen: string[]) => void;
};

/**
 * A group of checkboxes in two columns. A press draws its own checkbox alone; Mantine’s group draws all of them again.
 */
export function CheckboxList({ label, description, error, options, chosen, onChange }: Props) {
  const id = useId();
  const latest = useRef({ chosen, onChange });
  useEffect(() => {
    latest.current = { chosen, onChange };
  });
  const [choose] = useState(() => (value: string, checked: boolean) => {
    const { chosen: before, onChange: change } = latest.current;
    change(checked ? [...before, value] : before.filter((one) => one !== value));
  });
  return (
    <Input.Wrapper id={id} labelElement="div" label={label} description={description} error={error}>
      <fieldset
        style={{ border: 0, padding: 0, margin: 0, minWidth: 0 }}
        aria-labelledby={`${id}-label`}
        aria-describedby={`${id}-description${error ? ` ${id}-error` : ""}`}
      >
        <SimpleGrid cols={{ base: 1, sm: 2 }} mt="sm" spacing="sm">
          {options.map((option) => (
            <Box key={option.value} {...option} checked={chosen.includes(option.value)} choose={choose} />
          ))}
        </SimpleGrid>
      </fieldset>
    </Input.Wrapper>
  );
}

const Box = memo(function Box({
  choose,
  ...props
}: Option & { checked: boolean; choose: (value: string, checked: boolean) => void }) {
  return <Checkbox {...props} onChange={({ currentTarget }) => choose(props.value, currentTarget.checked)} />;
});
