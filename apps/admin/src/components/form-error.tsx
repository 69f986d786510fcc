"use client";

import { Alert } from "@mantine/core";
import { useEffect, useRef } from "react";
import { fieldErrorsOf, messageOf } from "@/trpc/errors.ts";

/** How long a field may take to show its error: its section can be folded, and unfolds first. */
const FRAMES = 12;

/**
 * Why submitting the form failed, one line per error. Leaves out errors of the fields in `shownAt`, which show their
 * own. Submitting disables the button, which loses the focus: it moves to the first invalid field, or to this alert.
 */
export function FormError({ error, shownAt = [] }: { error: unknown; shownAt?: readonly string[] }) {
  const container = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!error) return;
    let left = Object.keys(fieldErrorsOf(error)).length > 0 ? FRAMES : 0;
    const move = () => {
      const field = container.current?.closest("form")?.querySelector<HTMLElement>('[aria-invalid="true"]');
      field?.focus();
      if (field && document.activeElement === field) return;
      if (left-- > 0) frame = requestAnimationFrame(move);
      else container.current?.focus();
    };
    let frame = requestAnimationFrame(move);
    return () => cancelAnimationFrame(frame);
  }, [error]);

  const fieldErrors = Object.entries(fieldErrorsOf(error));
  const lines =
    fieldErrors.length === 0
      ? [messageOf(error)]
      : fieldErrors.filter(([path]) => !shownAt.includes(path)).map(([, text]) => text);
  return (
    <div ref={container} tabIndex={-1} style={{ outline: "none" }} hidden={!error}>
      {error !== null && error !== undefined && lines.length > 0 && (
        <Alert color="red" variant="light" role="alert">
          {[...new Set(lines)].map((line) => (
            <div key={line}>{line}</div>
          ))}
        </Alert>
      )}
    </div>
  );
}

/** Moves the focus to the first invalid field of a form that the browser refused to send, once its errors are drawn. */
export function focusFirstInvalid(form: EventTarget | null | undefined): void {
  if (!(form instanceof Element)) return;
  requestAnimationFrame(() => form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
}
