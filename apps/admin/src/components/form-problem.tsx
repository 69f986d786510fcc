"use client";

import { Alert } from "@mantine/core";
import { useEffect, useRef } from "react";
import { messageOf, problemsOf } from "@/trpc/errors.ts";

/**
 * Why the form's change was refused, one line for each problem; without those that fields (`shownAt`) say themselves.
 * Sending took the focus from the button, so it goes to the first field at fault, or here.
 */
export function FormProblem({ error, shownAt = [] }: { error: unknown; shownAt?: readonly string[] }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!error) return;
    const field = place.current?.closest("form")?.querySelector<HTMLElement>('[aria-invalid="true"]');
    (field ?? place.current)?.focus();
  }, [error]);

  const problems = Object.entries(problemsOf(error));
  const lines = problems.length === 0 ? [messageOf(error)] : problems.filter(([path]) => !shownAt.includes(path)).map(([, text]) => text);
  return (
    <div ref={place} tabIndex={-1} style={{ outline: "none" }} hidden={!error}>
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
