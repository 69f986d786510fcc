"use client";

import { ColorPicker } from "@mantine/core";
import { useEffect, useRef } from "react";

/** Colours to start from. */
const SWATCHES = ["#4f46e5", "#2563eb", "#0f766e", "#15803d", "#b45309", "#b91c1c", "#be185d", "#334155"];

/**
 * Mantine's picker with names for its sliders, which screen readers need. Takes the focus: it appears after its popover
 * has opened.
 */
export function ColourPicker({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const picker = useRef<HTMLDivElement>(null);
  useEffect(() => picker.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus(), []);
  return (
    <ColorPicker
      ref={picker}
      format="hex"
      value={value}
      onChange={onChange}
      swatches={SWATCHES}
      swatchesPerRow={8}
      saturationLabel="Saturation and brightness"
      hueLabel="Hue"
    />
  );
}
