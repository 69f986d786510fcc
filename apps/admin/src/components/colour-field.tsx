"use client";

import { ActionIcon, ColorSwatch, Popover, Skeleton, TextInput, type TextInputProps } from "@mantine/core";
import { useOnDemand } from "./on-demand.tsx";

const loadPicker = () => import("./colour-picker.tsx");
const START = "#4f46e5";

type Props = Omit<TextInputProps, "value" | "onChange" | "leftSection"> & {
  value?: string;
  onChange: (value: string) => void;
};

/** A colour like `#4f46e5`, typed or picked. */
export function ColourField({ value = "", onChange, readOnly, ...field }: Props) {
  useOnDemand(loadPicker, false);
  const shown = /^#[0-9a-f]{6}$/i.test(value) ? value : undefined;
  const swatch = (
    <ColorSwatch component="span" color={shown ?? "transparent"} size={16} radius="sm" withShadow={false} />
  );
  const picker = (
    <Popover trapFocus returnFocus position="bottom-start">
      <Popover.Target>
        <ActionIcon variant="subtle" color="gray" aria-label="Pick a colour">
          {swatch}
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown aria-label="Pick a colour">
        <Picker value={shown ?? START} onChange={onChange} />
      </Popover.Dropdown>
    </Popover>
  );
  return (
    <TextInput
      {...field}
      value={value}
      readOnly={readOnly}
      onChange={(event) => onChange(event.currentTarget.value)}
      leftSection={readOnly ? swatch : picker}
      maxLength={7}
      spellCheck={false}
    />
  );
}

function Picker(props: { value: string; onChange: (value: string) => void }) {
  const loaded = useOnDemand(loadPicker, true);
  return loaded ? <loaded.ColourPicker {...props} /> : <Skeleton w={200} h={200} />;
}
