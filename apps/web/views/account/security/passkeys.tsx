/** @jsxImportSource preact */
import type { Passkey } from "@gatehouse/accounts";
import { ago, type Locale, type Texts } from "@gatehouse/languages";
import { Hidden } from "../../layout.tsx";
import { AddPasskeyButton, type Ceremony, PasskeySignals } from "../../sign-in/passkeys.tsx";

export type PasskeysSectionProps = {
  texts: Texts["passkeys"];
  locale: Locale;
  csrf: string;
  passkeys: readonly Passkey[];
  /** Null while passkeys are off. */
  rpId: string | null;
  /** Whether another passkey can be added. */
  hasRoom: boolean;
  /** Undefined unless the user confirmed recently who they are. */
  ceremony: Ceremony | undefined;
  /** What the browser's password manager is told. WA-10. */
  signals: readonly object[];
  now: number;
};

/** The user's passkeys: add, rename, remove. WA-09. */
export function PasskeysSection({
  texts,
  locale,
  csrf,
  passkeys,
  rpId,
  hasRoom,
  ceremony,
  signals,
  now,
}: PasskeysSectionProps) {
  return (
    <section class="card" aria-labelledby="passkeys">
      <div class="heading">
        <h2 id="passkeys">{texts.title}</h2>
        <p class="small">{texts.intro}</p>
      </div>
      {rpId === null ? <p class="note">{texts.off}</p> : null}
      {passkeys.length === 0 && rpId !== null ? <p class="note muted">{texts.none}</p> : null}
      <ul class="rows" hidden={passkeys.length === 0}>
        {passkeys.map((passkey) => (
          <PasskeyRow passkey={passkey} texts={texts} locale={locale} csrf={csrf} rpId={rpId} now={now} />
        ))}
      </ul>
      {rpId === null ? null : <AddPasskey texts={texts} csrf={csrf} hasRoom={hasRoom} ceremony={ceremony} />}
      <PasskeySignals signals={signals} />
    </section>
  );
}

type RowProps = Pick<PasskeysSectionProps, "texts" | "locale" | "csrf" | "rpId" | "now"> & { passkey: Passkey };

function PasskeyRow({ passkey, texts, locale, csrf, rpId, now }: RowProps) {
  const { credentialId, name, backedUp, createdAt, lastUsedAt } = passkey;
  const used = lastUsedAt === null ? texts.neverUsed : texts.lastUsed(ago(lastUsedAt, now, locale));
  return (
    <li>
      <div>
        <p>
          <bdi>
            <strong>{name}</strong>
          </bdi>{" "}
          <span class="badge">{backedUp ? texts.synced : texts.thisDeviceOnly}</span>
        </p>
        <p class="small muted">
          {texts.added(ago(createdAt, now, locale))} · {used}
        </p>
        {rpId !== null && passkey.rpId !== rpId ? <p class="small muted">{texts.otherDomain(passkey.rpId)}</p> : null}
        <details class="edit">
          <summary class="small" aria-label={texts.renameOf(name)}>
            {texts.rename}
          </summary>
          <form class="inline-form" method="post" action="/account/security/passkeys">
            <Hidden values={{ csrf, id: credentialId }} />
            <input
              name="name"
              aria-label={texts.name}
              value={name}
              maxlength={60}
              required
              autocomplete="off"
              dir="auto"
            />
            <button class="button quiet compact" type="submit" name="action" value="rename">
              {texts.saveName}
            </button>
          </form>
        </details>
      </div>
      <form method="post" action="/account/security/passkeys">
        <Hidden values={{ csrf, id: credentialId }} />
        <button
          class="button quiet compact"
          type="submit"
          name="action"
          value="remove"
          aria-label={texts.removeOf(name)}
        >
          {texts.remove}
        </button>
      </form>
    </li>
  );
}

type AddProps = Pick<PasskeysSectionProps, "texts" | "csrf" | "hasRoom" | "ceremony">;

/** Without a recent confirmation, a link to the page that asks for one. */
function AddPasskey({ texts, csrf, hasRoom, ceremony }: AddProps) {
  if (!hasRoom) return <p class="note">{texts.full}</p>;
  if (ceremony)
    return (
      <AddPasskeyButton
        ceremony={ceremony}
        action="/account/security/passkeys"
        fields={{ csrf }}
        label={texts.add}
        texts={texts}
      />
    );
  return (
    <a class="button" href="/account/security/passkeys">
      {texts.add}
    </a>
  );
}
