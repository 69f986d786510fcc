/** @jsxImportSource preact */
import type { Identity } from "@gatehouse/accounts";
import { ago } from "@gatehouse/languages";
import type { Frame } from "../../frame.ts";
import { Hidden } from "../../layout.tsx";
import { Name } from "../../rich.tsx";
import { ProviderMark } from "../../sign-in/provider-buttons.tsx";

export type IdentitiesProps = {
  frame: Frame;
  csrf: string;
  identities: readonly Identity[];
  /** All providers, also those switched off. */
  providers: readonly { id: string; preset: string; name: string; enabled: boolean }[];
  now: number;
};

/** The accounts elsewhere that this one can be signed in to with. UP-08. */
export function IdentitiesSection({ frame, csrf, identities, providers, now }: IdentitiesProps) {
  const { upstream } = frame.texts;
  const connectable = providers.filter(
    ({ id, enabled }) => enabled && !identities.some(({ provider }) => provider === id),
  );
  return (
    <section class="card" aria-labelledby="identities" id="connected">
      <div class="heading">
        <h2 id="identities">{upstream.title}</h2>
        <p class="small">{upstream.lead}</p>
      </div>
      {identities.length === 0 ? null : (
        <ul class="rows">
          {identities.map((identity) => (
            <IdentityRow
              frame={frame}
              csrf={csrf}
              identity={identity}
              provider={providerOf(identity, providers)}
              now={now}
            />
          ))}
        </ul>
      )}
      {connectable.length === 0 ? null : (
        <form class="actions" method="post" action="/account/identities">
          <Hidden values={{ csrf }} />
          {connectable.map(({ id, name }) => (
            <button class="button quiet" type="submit" name="connect" value={id}>
              {upstream.connect(name)}
            </button>
          ))}
        </form>
      )}
    </section>
  );
}

type RowProps = Pick<IdentitiesProps, "frame" | "csrf" | "now"> & {
  identity: Identity;
  provider: { preset: string; name: string; enabled: boolean };
};

function IdentityRow({ frame, csrf, identity, provider, now }: RowProps) {
  const { locale, texts } = frame;
  const { upstream } = texts;
  const used = identity.lastUsedAt === null ? "" : ` · ${upstream.lastUsed(ago(identity.lastUsedAt, now, locale))}`;
  return (
    <li>
      <div>
        <p>
          <ProviderMark provider={provider} /> <strong>{provider.name}</strong>
          {identity.email === null ? null : (
            <>
              {" "}
              <Name>{identity.email}</Name>
            </>
          )}
        </p>
        <p class="small muted">{upstream.connectedSince(ago(identity.createdAt, now, locale)) + used}</p>
        {provider.enabled ? null : <p class="small muted">{upstream.switchedOff}</p>}
      </div>
      <form method="post" action="/account/identities">
        <Hidden values={{ csrf }} />
        <button
          class="button quiet compact"
          type="submit"
          name="remove"
          value={identity.id}
          aria-label={upstream.removeLabel(provider.name)}
        >
          {upstream.remove}
        </button>
      </form>
    </li>
  );
}

/** A provider that was removed leaves its id as a name. */
function providerOf({ provider }: Identity, providers: IdentitiesProps["providers"]) {
  return providers.find(({ id }) => id === provider) ?? { preset: "", name: provider, enabled: false };
}
