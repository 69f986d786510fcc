/** @jsxImportSource preact */
import type { ComponentChildren } from "preact";

/** A text whose slots, such as `{app}`, are elements. Languages place them differently. */
export function Rich({ text, slots }: { text: string; slots: Readonly<Record<string, ComponentChildren>> }) {
  return <>{text.split(/\{(\w+)\}/).map((part, index) => (index % 2 === 0 ? part : slots[part]))}</>;
}

/** A name that somebody chose: its direction does not change that of the text around it. RG-09. */
export function Name({ children }: { children: ComponentChildren }) {
  return <bdi>{children}</bdi>;
}
