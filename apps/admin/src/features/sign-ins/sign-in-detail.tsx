"use client";

import { describeBrowser } from "@gatehouse/ui/browser";
import { Anchor, Stack, Text, Title } from "@mantine/core";
import Link from "next/link";
import { visibleText } from "@/components/code/visible-text.ts";
import { CopyValue } from "@/components/copy-value.tsx";
import { Term, Terms } from "@/components/terms.tsx";
import { Timestamp } from "@/components/timestamp.tsx";
import { ClientName } from "@/features/failures/client-name.tsx";
import type { SignIn } from "@/trpc/types.ts";
import { methodWords, Result } from "./sign-in-table.tsx";
import styles from "./sign-ins.module.css";
import { ACTORS, resultWords } from "./words.ts";

/** One attempt: its cause and what to do about it, then its facts. `place`: its own page, or the panel beside the list. */
export function SignInDetail({ signIn, place }: { signIn: SignIn; place: "page" | "peek" }) {
  const { meaning } = signIn;
  return (
    <Stack gap="lg">
      {place === "peek" && (
        <Title order={2} size="h4">
          {resultWords(signIn)}
        </Title>
      )}
      {meaning && (
        <section aria-labelledby="what-to-do">
          <Text fw={550}>{meaning.explanation}</Text>
          <Title order={place === "peek" ? 3 : 2} id="what-to-do" size="h6" mt="md" mb={4}>
            What to do
          </Title>
          <Text size="sm">{meaning.howToFix}</Text>
          <Text size="sm" c="dimmed" mt={2}>
            Who acts: {ACTORS[meaning.actor]}.
          </Text>
        </section>
      )}
      <Facts signIn={signIn} />
    </Stack>
  );
}

function Facts({ signIn }: { signIn: SignIn }) {
  const { id, at, user, typedEmail, client, address, userAgent, detail } = signIn;
  const { provider, message, errorId } = detail;
  return (
    <Terms>
      <Term name="Result">
        <Result signIn={signIn} />
      </Term>
      <Term name="Time">
        <Timestamp at={at} seconds />
      </Term>
      <Term name="Who">
        {user === null ? (
          <>
            {typedEmail !== null && <bdi>{visibleText(typedEmail)} · </bdi>}
            <span className={styles["muted"]}>no account</span>
          </>
        ) : (
          <Anchor component={Link} href={`/users/${encodeURIComponent(user.id)}`} size="sm">
            <bdi>{visibleText(user.name)}</bdi>
          </Anchor>
        )}
      </Term>
      {user !== null && <Term name="Email">{visibleText(user.email)}</Term>}
      <Term name="Method">{methodWords(signIn)}</Term>
      {typeof provider === "string" && (
        <Term name="Provider">
          <Anchor component={Link} href={`/sign-in-providers/${encodeURIComponent(provider)}`} size="sm">
            {provider}
          </Anchor>
        </Term>
      )}
      {typeof message === "string" && <Term name="Check">{visibleText(message)}</Term>}
      {typeof errorId === "string" && (
        <Term name="Failure">
          <Anchor component={Link} href={`/failures/${encodeURIComponent(errorId)}`} size="sm">
            {errorId}
          </Anchor>
        </Term>
      )}
      {client !== null && (
        <Term name="On the way to">
          <ClientName client={client} />
        </Term>
      )}
      <Term name="Address">
        <code>{address ?? "unknown"}</code>
      </Term>
      <Term name="Browser">
        <span title={visibleText(userAgent ?? "")}>{describeBrowser(userAgent)}</span>
      </Term>
      <Term name="Sign-in id">
        <CopyValue value={id} what="sign-in id" testId="sign-in-id" />
      </Term>
    </Terms>
  );
}
