"use client";

import { ActionIcon, ColorPicker, ColorSwatch, Popover, TextInput, type TextInputProps } from "@mantine/core";

/** Colours to start from. */
const SWATCHES = ["#4f46e5", "#2563eb", "#0f766e", "#15803d", "#b45309", "#b91c1c", "#be185d", "#334155"];
const START = "#4f46e5";

type Props = Omit<TextInputProps, "value" | "onChange" | "leftSection"> & {
  value?: string;
  onChange: (value: string) => void;
};

/** A colour like `#4f46e5`, typed or picked. Mantine's own field does not name the sliders of its picker to screen readers. */
export function ColourField({ value = "", onChange, readOnly, ...field }: Props) {
  const shown = /^#[0-9a-f]{6}$/i.test(value) ? value : undefined;
  const swatch = <ColorSwatch component="span" color={shown ?? "transparent"} size={16} radius="sm" withShadow={false} />;
  const picker = (
    <Popover trapFocus returnFocus position="bottom-start">
      <Popover.Target>
        <ActionIcon variant="subtle" color="gray" aria-label="Pick a colour">
          {swatch}
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown aria-label="Pick a colour">
        <ColorPicker
          format="hex"
          value={shown ?? START}
          onChange={onChange}
          swatches={SWATCHES}
          swatchesPerRow={8}
          saturationLabel="Saturation and brightness"
          hueLabel="Hue"
        />
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
