"use client";

import { Alert, Skeleton } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation } from "@tanstack/react-query";
import { startTransition, useDeferredValue, useEffect, useEffectEvent, useMemo, useState } from "react";
import { visibleText } from "@/components/code/visible-text.ts";
import { ConflictDialog } from "@/components/conflict.tsx";
import { FormError, focusFirstInvalid } from "@/components/form-error.tsx";
import { useOnDemand } from "@/components/on-demand.tsx";
import { SaveBar } from "@/components/save-bar.tsx";
import { toastChanged } from "@/components/toasts.tsx";
import { useUnsaved } from "@/components/unsaved.tsx";
import { useApplicationChanged } from "@/features/applications/use-application-changed.ts";
import { useCanChange } from "@/features/configuration/managed/lock-reason.ts";
import { useTRPC } from "@/trpc/client.tsx";
import { fieldErrorsOf } from "@/trpc/errors.ts";
import type { ClientSettings, ClientView } from "@/trpc/types.ts";
import { withoutEmptyRows } from "../client-types.ts";
import { dropProposal, type Proposal, useProposal } from "../proposal.ts";
import { takenAway } from "../taken-away.ts";
import { TestRedirectUri } from "../test-redirect-uri.tsx";
import { changedLabels, errorsShown } from "./field.ts";
import { checkKeys } from "./jwks.ts";
import { labelOfPath, SECTIONS } from "./sections.ts";
import { SettingsFields } from "./settings-fields.tsx";

const loadTakesAway = () => import("../takes-away.tsx");

/** A form for the client's settings, read-only for users who can't change them. `clients`: all of the application. */
export function ClientSettingsForm({ client, clients }: { client: ClientView; clients: readonly ClientView[] }) {
  const { reason } = useCanChange(client.environment, client.managed);
  const readOnly = reason !== undefined;
  const trpc = useTRPC();
  const changed = useApplicationChanged();
  const [read, setRead] = useState({ settings: settingsOf(client), version: client.version });
  const proposal = useProposal(client, read.settings, clients);
  const form = useForm({ initialValues: read.settings, validate: checkKeys });
  const fill = useEffectEvent(() => {
    if (proposal && !readOnly) form.setValues(proposal.settings);
  });
  useEffect(() => fill(), []);
  useUnsaved(form.isDirty());
  const show = useEffectEvent((now: ClientView) => {
    // What was typed stays; saving it then says who changed the client
    if (form.isDirty() || now.version === read.version) return;
    setRead({ settings: settingsOf(now), version: now.version });
    form.setInitialValues(settingsOf(now));
    form.setValues(settingsOf(now));
  });
  useEffect(() => show(client), [client]);
  const update = useMutation(
    trpc.clients.update.mutationOptions({
      meta: { errorShownInForm: true },
      async onSuccess(saved) {
        dropProposal();
        setRead({ settings: settingsOf(saved), version: saved.version });
        form.setInitialValues(settingsOf(saved));
        form.setValues(settingsOf(saved));
        toastChanged("Changes saved.");
        await changed();
      },
      onError: (error) => form.setErrors(fieldErrorsOf(error)),
    }),
  );
  const place = { type: client.type, environment: client.environment, settings: form.values };
  const settled = useDeferredValue(form.values);
  const taken = readOnly ? [] : takenAway(read.settings, settled);
  const takesAway = useOnDemand(loadTakesAway, taken.length > 0);
  const tests = client.redirectUris.length > 0;
  const after = useMemo(
    () => ({ redirects: tests && <TestRedirectUri clientId={client.clientId} /> }),
    [tests, client.clientId],
  );
  return (
    <form
      onSubmit={form.onSubmit(
        (settings) => {
          const sent = withoutEmptyRows(settings);
          form.setValues(sent);
          update.mutate({ clientId: client.clientId, version: read.version, ...sent });
        },
        (_errors, _values, event) => focusFirstInvalid(event?.currentTarget),
      )}
    >
      {proposal && !readOnly && <Proposed proposal={proposal} />}
      <fieldset disabled={readOnly} style={{ border: 0, padding: 0, margin: 0, minWidth: 0 }} aria-label="Settings">
        <SettingsFields form={form} type={client.type} environment={client.environment} after={after} />
      </fieldset>
      {taken.length > 0 &&
        (takesAway ? (
          <takesAway.TakesAway clientId={client.clientId} changes={taken} />
        ) : (
          <Skeleton height={96} mt="lg" />
        ))}
      <FormError error={update.error} shownAt={errorsShown(SECTIONS, place, form.errors)} />
      <ConflictDialog
        error={update.error}
        base={read.settings}
        mine={form.values}
        labelOf={labelOfPath}
        save={(settings, version) => {
          form.setValues(settings);
          update.mutate({ clientId: client.clientId, version, ...settings });
        }}
      />
      {!readOnly && (
        <SaveBar
          changed={changedLabels(SECTIONS, read.settings, form.values)}
          dirty={form.isDirty()}
          saving={update.isPending}
          environment={client.environment}
          discard={() => {
            dropProposal();
            startTransition(form.reset);
          }}
        />
      )}
    </form>
  );
}

/** What a failure filled in, and what to look at before saving it. */
function Proposed({ proposal: { toType, newHost } }: { proposal: Proposal }) {
  return (
    <Alert variant="light" mb="lg" color={newHost === null ? "blue" : "yellow"} title="From a failure, not saved yet">
      {toType === null ? (
        "Check what is filled in below, then save."
      ) : (
        <>
          In production, type the redirect URI yourself: <code>{visibleText(toType)}</code>
        </>
      )}
      {newHost !== null && (
        <>
          {" "}
          The host <b>{visibleText(newHost)}</b> is new to this application. It came with the refused request, which
          anybody could have sent: make sure that it is yours.
        </>
      )}
    </Alert>
  );
}

/** The settings of a client that the form changes. */
function settingsOf(client: ClientView): ClientSettings {
  const {
    redirectUris,
    postLogoutRedirectUris,
    grantTypes,
    scopes,
    firstParty,
    resourceServer,
    refreshRetrySeconds,
    options,
  } = client;
  return {
    redirectUris,
    postLogoutRedirectUris,
    grantTypes,
    scopes,
    firstParty,
    resourceServer,
    refreshRetrySeconds,
    options,
  };
}
