"use client";

import { Box } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { CopyValue } from "@/components/copy-value.tsx";
import { useMe } from "@/components/me.tsx";
import { PageFrame } from "@/components/page-frame.tsx";
import { LoadError, RowsSkeleton } from "@/components/state.tsx";
import { StatusDot } from "@/components/status-dot.tsx";
import { toastChanged } from "@/components/toasts.tsx";
import { HistorySection } from "@/features/audit/history-section.tsx";
import { LockNote } from "@/features/configuration/managed/lock-note.tsx";
import { ManagedFact } from "@/features/configuration/managed/managed-fact.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import type { ApiResource } from "@/trpc/types.ts";
import { ResourceDanger } from "./resource-danger.tsx";
import { ResourceForm } from "./resource-form.tsx";
import { draftOf, NEW_RESOURCE, resourceHref, valuesOf } from "./resource-values.ts";
import { UsedBy } from "./used-by.tsx";

const CRUMBS = [{ label: "API resources", href: "/resources" }];

/** Registers an API resource. */
export function NewResource() {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const router = useRouter();
  const create = useMutation(
    trpc.resources.create.mutationOptions({
      meta: { errorShownInForm: true },
      async onSuccess({ id }) {
        await queries.invalidateQueries(trpc.resources.list.queryFilter());
        router.push(resourceHref(id));
      },
    }),
  );
  return (
    <>
      <PageFrame title="New API resource" crumbs={CRUMBS} />
      <ResourceForm
        initial={NEW_RESOURCE}
        registered={false}
        readOnly={false}
        saving={create.isPending}
        error={create.error}
        save={(values) => create.mutateAsync(draftOf(values))}
      />
    </>
  );
}

/** One API resource: its settings, who uses it, and its end. CO-59. */
export function ResourcePage({ id }: { id: string }) {
  const resources = useQuery(useTRPC().resources.list.queryOptions());
  if (resources.isPending) return <RowsSkeleton rows={3} height={180} />;
  if (resources.data === undefined) return <LoadError error={resources.error} retry={resources.refetch} />;
  const resource = resources.data.find((one) => one.id === id);
  return resource && <Loaded resource={resource} />;
}

function Loaded({ resource }: { resource: ApiResource }) {
  const { can } = useMe();
  const trpc = useTRPC();
  const queries = useQueryClient();
  const usage = useQuery(trpc.resources.usage.queryOptions({ id: resource.id }));
  const update = useMutation(
    trpc.resources.update.mutationOptions({
      meta: { errorShownInForm: true },
      async onSuccess() {
        toastChanged("Changes saved. They apply within a second.");
        await queries.invalidateQueries(trpc.resources.pathFilter());
      },
    }),
  );
  return (
    <>
      <PageFrame
        title={resource.name}
        crumbs={CRUMBS}
        facts={
          <>
            <CopyValue value={resource.id} what="identifier" />
            <StatusDot tone={resource.enabled ? "good" : "past"}>{resource.enabled ? "On" : "Off"}</StatusDot>
            <ManagedFact managed={resource.managed} />
            {usage.data && <UsedBy usage={usage.data} />}
          </>
        }
      />
      {can.manageProduction && (
        <Box mb={resource.managed ? "lg" : 0}>
          <LockNote
            kind="resource"
            id={resource.id}
            managed={resource.managed}
            reason={undefined}
            changed={() => queries.invalidateQueries(trpc.resources.pathFilter())}
          />
        </Box>
      )}
      <ResourceForm
        key={resource.id}
        initial={valuesOf(resource)}
        registered
        readOnly={!can.manageProduction || resource.managed?.locked === true}
        usedBy={usage.data?.scopes}
        saving={update.isPending}
        error={update.error}
        save={(values) => update.mutateAsync(draftOf(values))}
      />
      {can.manageProduction && <ResourceDanger resource={resource} usage={usage.data} />}
      <HistorySection object={resource.id} />
    </>
  );
}
