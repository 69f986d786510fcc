"use client";

import { Button, Group } from "@mantine/core";
import { useUnsaved } from "./unsaved.tsx";

type Props = { form: { isDirty: () => boolean; reset: () => void }; saving: boolean };

/** Saves the changes of a form of settings, or discards them. Leaving the page with unsaved ones asks first. */
export function SaveButtons({ form, saving }: Props) {
  const dirty = form.isDirty();
  useUnsaved(dirty);
  return (
    <Group>
      <Button type="submit" loading={saving} disabled={!dirty}>
        Save
      </Button>
      {dirty && (
        <Button variant="default" onClick={form.reset}>
          Discard
        </Button>
      )}
    </Group>
  );
}
