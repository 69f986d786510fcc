"use client";

import { ActionIcon, Anchor, Badge, Button, Checkbox, Group, Modal, Popover, Stack, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useDisclosure } from "@mantine/hooks";
import { IconBookmark, IconTrash } from "@tabler/icons-react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import Link from "next/link";
import { usePathname } from "next/navigation";
import { useTRPC } from "@/trpc/client.tsx";
import { fieldErrorsOf } from "@/trpc/errors.ts";
import type { SavedView } from "@/trpc/types.ts";
import { FormError } from "../form-error.tsx";
import { useMe } from "../me.tsx";
import { LoadError, RowsSkeleton } from "../state.tsx";
import { toastChanged } from "../toasts.tsx";

/** What belongs to a moment and not to a view. */
const MOMENTARY = ["cursor", "peek", "rerun"];

/** The filters of the URL, as a view keeps them. */
function currentQuery(): string {
  const query = new URLSearchParams(window.location.search);
  for (const name of MOMENTARY) query.delete(name);
  return query.toString();
}

/** The named views of a list, the user's own and shared ones. They are loaded when the menu opens. CO-81. */
export function SavedViews() {
  const [opened, menu] = useDisclosure();
  const [saving, dialog] = useDisclosure();
  const { can } = useMe();
  return (
    <>
      <Popover
        opened={opened}
        onChange={(next) => !next && menu.close()}
        position="bottom-start"
        shadow="md"
        trapFocus
        returnFocus
        width={300}
      >
        <Popover.Target>
          <Button
            size="compact-sm"
            variant="default"
            fz={13}
            fw={500}
            leftSection={<IconBookmark size={14} aria-hidden="true" />}
            onClick={menu.toggle}
          >
            Views
          </Button>
        </Popover.Target>
        <Popover.Dropdown aria-label="Saved views" p="xs">
          <Stack gap="xs">
            {opened && <Views close={menu.close} />}
            {can.manageDevelopment && (
              <Button
                size="compact-sm"
                variant="light"
                onClick={() => {
                  menu.close();
                  dialog.open();
                }}
              >
                Save this view
              </Button>
            )}
          </Stack>
        </Popover.Dropdown>
      </Popover>
      <Modal opened={saving} onClose={dialog.close} title="Save this view">
        <SaveView close={dialog.close} />
      </Modal>
    </>
  );
}

function Views({ close }: { close: () => void }) {
  const trpc = useTRPC();
  const list = usePathname();
  const views = useQuery(trpc.savedViews.list.queryOptions({ list }));
  if (views.isError) return <LoadError error={views.error} retry={views.refetch} />;
  if (views.data === undefined) return <RowsSkeleton rows={2} height={24} />;
  if (views.data.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        A view keeps the filters of this list under a name. There are none yet.
      </Text>
    );
  }
  return (
    <Stack component="ul" gap={2} p={0} m={0} mah={280} style={{ listStyle: "none", overflowY: "auto" }}>
      {views.data.map((view) => (
        <ViewRow key={view.id} view={view} list={list} close={close} />
      ))}
    </Stack>
  );
}

function ViewRow({ view: { id, name, query, shared, own }, list, close }: { view: SavedView; list: string; close: () => void }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const { can } = useMe();
  const remove = useMutation(
    trpc.savedViews.remove.mutationOptions({ onSuccess: () => queries.invalidateQueries(trpc.savedViews.pathFilter()) }),
  );
  return (
    <Group component="li" justify="space-between" wrap="nowrap" gap="xs" mih={30}>
      <Anchor component={Link} href={`${list}?${query}`} size="sm" onClick={close} style={{ overflowWrap: "anywhere" }}>
        <bdi>{name}</bdi>
      </Anchor>
      <Group gap={4} wrap="nowrap">
        {shared && (
          <Badge size="xs" variant="light" color="gray" tt="none">
            Shared
          </Badge>
        )}
        {(own || (shared && can.manageProduction)) && (
          <ActionIcon
            size={24}
            variant="subtle"
            color="gray"
            aria-label={`Remove view ${name}`}
            loading={remove.isPending}
            onClick={() => remove.mutate({ id })}
          >
            <IconTrash size={14} aria-hidden="true" />
          </ActionIcon>
        )}
      </Group>
    </Group>
  );
}

function SaveView({ close }: { close: () => void }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const list = usePathname();
  const form = useForm({ initialValues: { name: "", shared: false } });
  const save = useMutation(
    trpc.savedViews.save.mutationOptions({
      meta: { errorShownInForm: true },
      async onSuccess(_, { name }) {
        await queries.invalidateQueries(trpc.savedViews.pathFilter());
        toastChanged(`View ${name} saved.`);
        close();
      },
      onError: (error) => form.setErrors(fieldErrorsOf(error)),
    }),
  );
  return (
    <form onSubmit={form.onSubmit((values) => save.mutate({ list, query: currentQuery(), ...values }))}>
      <Stack>
        <Text size="sm">Keeps the filters and the page size of this list, not its rows. It replaces your view of the same name.</Text>
        <TextInput label="Name" required maxLength={60} autoComplete="off" data-autofocus {...form.getInputProps("name")} />
        <Checkbox label="Share with everybody who can open the console" {...form.getInputProps("shared", { type: "checkbox" })} />
        <FormError error={save.error} shownAt={["name"]} />
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" loading={save.isPending}>
            Save
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
