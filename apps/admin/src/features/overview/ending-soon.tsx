"use client";

import Link from "next/link";
import type { ReactNode } from "react";
import { useMe } from "@/components/me.tsx";
import { Timestamp } from "@/components/timestamp.tsx";
import type { EndingSecret } from "@/trpc/types.ts";

const DAY = 86_400;
const URGENT_SECONDS = 14 * DAY;

/** Secrets that end, those in use first. `now`: when they were read, Unix seconds. CO-14. */
export function EndingSoon({ secrets, now }: { secrets: readonly EndingSecret[]; now: number }) {
  return (
    <section aria-labelledby="ending-soon">
      <h2 id="ending-soon" className="overview-heading">
        Expiring soon
      </h2>
      {secrets.length === 0 && <p className="overview-none">No secret or API token expires.</p>}
      <ul className="overview-list">
        {secrets.map((secret) => (
          <Ending key={secret.id} secret={secret} now={now} />
        ))}
      </ul>
    </section>
  );
}

function Ending({ secret, now }: { secret: EndingSecret; now: number }) {
  const { hint, owner, environment, expiresAt, lastUsedAt, inUse } = secret;
  return (
    <li>
      <Row secret={secret}>
        <span className="ending-secret">…{hint}</span>
        <span className="ending-owner">
          <bdi>{owner}</bdi> <span className="overview-muted">{environment ?? "API token"}</span>
        </span>
        <span className="overview-muted">
          {lastUsedAt === null ? (
            "never used"
          ) : inUse ? (
            "in use"
          ) : (
            <>
              last used <Timestamp at={lastUsedAt} brief />
            </>
          )}
        </span>
        <span
          className="ending-time"
          data-urgent={inUse && expiresAt - now <= URGENT_SECONDS}
          title={new Date(expiresAt * 1000).toISOString()}
        >
          {spanOf(expiresAt - now)}
        </span>
      </Row>
    </li>
  );
}

/** A link, unless the page is not for this user: API tokens are among the settings. CO-02. */
function Row({ secret, children }: { secret: EndingSecret; children: ReactNode }) {
  const { can } = useMe();
  if (secret.environment === null && !can.manageUsers) return <div className="ending-row">{children}</div>;
  return (
    <Link href={hrefOf(secret)} className="ending-row">
      {children}
    </Link>
  );
}

function hrefOf({ client, owner, environment }: EndingSecret): string {
  if (environment === null) return "/settings/api-tokens";
  if (client === null) return `/webhooks/${encodeURIComponent(owner)}`;
  const query = new URLSearchParams({ client: client.name, environment, tab: "secrets" });
  return `/applications/${encodeURIComponent(client.applicationId)}?${query}`;
}

function spanOf(seconds: number): string {
  if (seconds < 3_600) return `${Math.max(1, Math.round(seconds / 60))} min`;
  return seconds < 2 * DAY ? `${Math.round(seconds / 3_600)} h` : `${Math.round(seconds / DAY)} d`;
}
