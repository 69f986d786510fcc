import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { ActionRow } from "@/components/action-row.tsx";
import { useConfirmed } from "@/components/confirm-identity.tsx";
import { Permitted } from "@/components/permitted.tsx";
import { ReasonModal } from "./reason-modal.tsx";

type ActProps = {
  title: string;
  hint: string;
  button: string;
  question: string;
  consequence: string;
  needsReason?: boolean;
  /** What to type: for what can't be undone. CO-43. */
  expected?: string;
  /** Takes nothing away from the user. */
  harmless?: boolean;
  /** The user cannot continue. */
  severe?: boolean;
  disabledBecause?: string | undefined;
  pending: boolean;
  act: (reason: string | undefined) => void;
};

/** One act: what it does, its button, and the dialog that asks for the reason. */
export function Act({
  title,
  hint,
  button,
  question,
  consequence,
  needsReason = false,
  expected,
  harmless = false,
  severe = false,
  disabledBecause,
  pending,
  act,
}: ActProps) {
  const [asking, dialog] = useDisclosure();
  const confirmed = useConfirmed();
  return (
    <ActionRow title={title} hint={hint}>
      <Permitted reason={disabledBecause}>
        <Button
          variant={severe ? "light" : "default"}
          {...(severe && { color: "red" })}
          loading={pending}
          onClick={() => confirmed(dialog.open)}
        >
          {button}
        </Button>
      </Permitted>
      <ReasonModal
        opened={asking}
        close={dialog.close}
        title={question}
        text={consequence}
        action={button}
        required={needsReason}
        expected={expected}
        harmless={harmless}
        onConfirm={act}
      />
    </ActionRow>
  );
}
