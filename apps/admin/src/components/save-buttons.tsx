"use client";

import { Button, Group } from "@mantine/core";
import type { Environment } from "@/trpc/types.ts";
import { inPlace } from "./environments.tsx";
import { useUnsaved } from "./unsaved.tsx";

type Props = { form: { isDirty: () => boolean; reset: () => void }; saving: boolean; environment?: Environment };

/** Saves the changes of a form of settings, or discards them. Leaving the page with unsaved ones asks first. */
export function SaveButtons({ form, saving, environment }: Props) {
  const dirty = form.isDirty();
  useUnsaved(dirty);
  return (
    <Group>
      <Button type="submit" loading={saving} disabled={!dirty}>
        {inPlace("Save", environment)}
      </Button>
      {dirty && (
        <Button variant="default" onClick={form.reset}>
          Discard
        </Button>
      )}
    </Group>
  );
}
