"use client";

import { Alert, NativeSelect, Text } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { TypeToConfirm } from "./type-to-confirm.tsx";

const DAY = 86_400;
const NOW = "0";
const TIMES = [
  { value: NOW, label: "Now" },
  { value: "3600", label: "In 1 hour" },
  { value: String(DAY), label: "In 24 hours" },
  { value: String(7 * DAY), label: "In 7 days" },
];

type Props = {
  /** The last four characters of the secret; empty if they are not known. */
  hint: string;
  /** In the last 24 hours: then it ends now only after its last four characters are typed. */
  usedRecently: boolean;
  /** A client of production stops without it: then it ends now only by typing, too. CO-43. */
  stopsProduction?: boolean;
  /** What stops working, if this is the last secret. */
  warning: string | undefined;
  /** What ending a secret that was used recently means. */
  consequence: string;
  /** The button's label. */
  action: string;
  /** Who is affected. CO-37. */
  impact?: ReactNode;
  pending: boolean;
  error: unknown;
  close: () => void;
  /** `afterSeconds` is 0 for now. */
  end: (afterSeconds: number, confirmHint: string | undefined) => void;
};

/** Ends a secret, of a client or of a webhook endpoint, now or later. CO-33, CO-58. */
export function EndSecretForm({
  hint,
  usedRecently,
  stopsProduction = false,
  warning,
  consequence,
  action,
  impact,
  pending,
  error,
  close,
  end,
}: Props) {
  const [after, setAfter] = useState(usedRecently ? String(DAY) : NOW);
  const mustType = (usedRecently || stopsProduction) && after === NOW && hint !== "";
  return (
    <TypeToConfirm
      expected={mustType ? hint : undefined}
      action={action}
      onConfirm={() => end(Number(after), mustType ? hint : undefined)}
      onCancel={close}
      pending={pending}
      error={error}
    >
      {warning !== undefined && (
        <Alert color="red" variant="light">
          {warning}
        </Alert>
      )}
      {usedRecently && <Text size="sm">{consequence}</Text>}
      {impact}
      <NativeSelect
        label="When"
        data={TIMES}
        value={after}
        onChange={({ currentTarget }) => setAfter(currentTarget.value)}
        data-autofocus
      />
    </TypeToConfirm>
  );
}
