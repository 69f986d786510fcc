"use client";

import { useState } from "react";
import { fieldErrorsOf, messageOf } from "@/trpc/errors.ts";

/** The server refuses larger files too: this limit leaves room for base64 in the 256 KiB of a request. */
const MAX_KIB = 180;

export type LogoDraft = ReturnType<typeof useLogoDraft>;

/** The logo of a form until its Save: the user's choice, what is wrong with it, and what to send. CO-68, CO-76. */
export function useLogoDraft(saved: string | null) {
  /** A `data:` URL, or null to remove the logo; undefined while the saved one stays. */
  const [chosen, setChosen] = useState<string | null>();
  const [error, setError] = useState<string>();

  function change(next: string | null | undefined): void {
    setError(undefined);
    setChosen(next);
  }
  return {
    saved,
    /** What the pages show after a save. */
    shown: chosen === undefined ? saved : chosen,
    dirty: chosen !== undefined,
    error,
    /** The file in base64, or null to remove the logo. */
    sent: chosen?.split(",")[1] ?? null,
    async choose(file: File | null): Promise<void> {
      if (file === null) return;
      if (file.size > MAX_KIB * 1024) return setError(`must be at most ${MAX_KIB} KiB: export it smaller`);
      const url = await dataUrlOf(file);
      if (await canBeShown(url)) change(url);
      else setError("must be a PNG, JPEG or WebP picture");
    },
    remove: () => change(saved === null ? undefined : null),
    discard: () => change(undefined),
    fail: (reason: unknown) => setError(fieldErrorsOf(reason)["logo"] ?? messageOf(reason)),
  };
}

async function canBeShown(url: string): Promise<boolean> {
  const image = new Image();
  image.src = url;
  return image.decode().then(
    () => true,
    () => false,
  );
}

function dataUrlOf(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
}
