"use client";

import { Alert, Anchor, Button, Group, Modal, NativeSelect, Stack, Text } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation, useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useConfirmed } from "@/components/confirm-identity.tsx";
import { ENVIRONMENTS, inPlace } from "@/components/environments.tsx";
import { FormError } from "@/components/form-error.tsx";
import { useMe } from "@/components/me.tsx";
import { LoadError, RowsSkeleton } from "@/components/state.tsx";
import { useOpenedLate } from "@/components/use-opened-late.ts";
import { useTRPC } from "@/trpc/client.tsx";
import { fieldErrorsOf } from "@/trpc/errors.ts";
import type { TestEventResult, WebhookEndpoint } from "@/trpc/types.ts";

type Props = {
  opened: boolean;
  close: () => void;
  /** The endpoint that the form starts with. */
  slug?: string | undefined;
  /** Called when something was sent. */
  sent?: () => void;
};

/** Sends a signed sample to an endpoint of this installation, as its provider would. CO-53. */
export function SendTestEvent({ opened, close, ...form }: Props) {
  return (
    <Modal opened={useOpenedLate(opened)} onClose={close} title="Send a test event">
      <Endpoints {...form} close={close} />
    </Modal>
  );
}

type FormProps = Omit<Props, "opened">;

function Endpoints(props: FormProps) {
  const trpc = useTRPC();
  const { can } = useMe();
  const endpoints = useQuery(trpc.webhookEndpoints.list.queryOptions());
  const providers = useQuery(trpc.webhookEndpoints.providers.queryOptions());
  const failed = [endpoints, providers].find(({ error }) => error);
  if (failed) return <LoadError error={failed.error} retry={failed.refetch} />;
  if (!endpoints.data || !providers.data) return <RowsSkeleton rows={2} height={48} />;
  const ready = endpoints.data
    .filter(({ enabled, secrets }) => enabled && secrets.signing > 0)
    .filter(({ environment }) => environment !== "production" || can.manageProduction)
    .toSorted((one, other) => PLACES.indexOf(one.environment) - PLACES.indexOf(other.environment));
  if (ready.length === 0) return <NoEndpoint close={props.close} />;
  const samplesOf = (provider: string) => providers.data.find((one) => one.provider === provider)?.samples ?? [];
  return <TestEventForm {...props} endpoints={ready} samplesOf={samplesOf} />;
}

/** Development first: handlers run. */
const PLACES = Object.keys(ENVIRONMENTS);

function NoEndpoint({ close }: { close: () => void }) {
  return (
    <Stack>
      <Text size="sm">
        A test event is signed like a real one, and no endpoint that you may change has a signing secret yet.
      </Text>
      <Group justify="flex-end">
        <Button component={Link} href="/webhooks" onClick={close}>
          Open webhook providers
        </Button>
      </Group>
    </Stack>
  );
}

type TestEventFormProps = FormProps & {
  endpoints: readonly WebhookEndpoint[];
  samplesOf: (provider: string) => readonly string[];
};

function TestEventForm({ close, slug, sent, endpoints, samplesOf }: TestEventFormProps) {
  const trpc = useTRPC();
  const confirmed = useConfirmed();
  const start = endpoints.find((one) => one.slug === slug) ?? endpoints[0];
  const form = useForm({
    initialValues: { slug: start?.slug ?? "", eventType: samplesOf(start?.provider ?? "")[0] ?? "" },
  });
  const chosen = endpoints.find((one) => one.slug === form.values.slug);
  const send = useMutation(
    trpc.webhookEndpoints.sendTestEvent.mutationOptions({
      meta: { errorShownInForm: true },
      onSuccess: () => sent?.(),
      onError: (error) => form.setErrors(fieldErrorsOf(error)),
    }),
  );
  const submit = (values: typeof form.values) =>
    chosen?.environment === "production" ? confirmed(() => send.mutate(values)) : send.mutate(values);
  return (
    <form onSubmit={form.onSubmit(submit)}>
      <Stack>
        <NativeSelect
          label="Endpoint"
          description="Those with a signing secret."
          data={endpoints.map((one) => ({
            value: one.slug,
            label: `${one.name ?? one.slug} (${ENVIRONMENTS[one.environment].label.toLowerCase()})`,
          }))}
          data-autofocus
          {...form.getInputProps("slug")}
          onChange={({ currentTarget: { value } }) => {
            const provider = endpoints.find((one) => one.slug === value)?.provider ?? "";
            form.setValues({ slug: value, eventType: samplesOf(provider)[0] ?? "" });
            send.reset();
          }}
        />
        <NativeSelect
          label="Event type"
          data={[...samplesOf(chosen?.provider ?? "")]}
          {...form.getInputProps("eventType")}
        />
        <Text size="sm" c="dimmed">
          The server signs a sample with the endpoint’s newest secret and posts it to its own URL. Handlers run as for a
          real event.
        </Text>
        <FormError error={send.error} shownAt={["slug", "eventType"]} />
        {send.data && <Result result={send.data} close={close} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            {send.data ? "Close" : "Cancel"}
          </Button>
          <Button type="submit" loading={send.isPending}>
            {inPlace("Send test event", chosen?.environment)}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function Result({ result, close }: { result: TestEventResult; close: () => void }) {
  const { status, ms, message, deliveryId } = result;
  return (
    <Alert color={message === null ? "teal" : "red"} variant="light" role="status" data-testid="test-event">
      <Text size="sm" style={{ overflowWrap: "anywhere" }}>
        {message === null ? "Accepted" : "Not accepted"}
        {status !== null && `: ${status} in ${ms} ms`}. {message}
      </Text>
      {deliveryId !== null && (
        <Anchor component={Link} href={`/deliveries/${encodeURIComponent(deliveryId)}`} size="sm" onClick={close}>
          Open the delivery
        </Anchor>
      )}
    </Alert>
  );
}
