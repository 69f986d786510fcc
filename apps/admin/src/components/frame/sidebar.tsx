"use client";

import { Loader, Tooltip } from "@mantine/core";
import { IconLayoutSidebarLeftCollapse, IconLayoutSidebarLeftExpand } from "@tabler/icons-react";
import Link, { useLinkStatus } from "next/link";
import { usePathname } from "next/navigation";
import { useInstallation } from "@/components/installation.tsx";
import { useMe } from "@/components/me.tsx";
import { isWithin, navigationFor } from "@/navigation.ts";
import styles from "./frame.module.css";
import { useKeepEnvironment } from "./frame-state.tsx";

type Props = { collapsed: boolean; toggle: () => void; onNavigate: () => void };

/** The pages by group, and at the foot what installation this is. CO-01. */
export function Sidebar({ collapsed, toggle, onNavigate }: Props) {
  const pathname = usePathname();
  const me = useMe();
  const keepEnvironment = useKeepEnvironment();
  const Toggle = collapsed ? IconLayoutSidebarLeftExpand : IconLayoutSidebarLeftCollapse;
  const toggleLabel = collapsed ? "Expand navigation" : "Collapse navigation";
  return (
    <>
      <div className={styles["groups"]}>
        {navigationFor(me).map(({ label, items }) => (
          <div key={label ?? ""}>
            {label !== null && (
              <div className={styles["groupLabel"]} aria-hidden="true">
                {collapsed ? "" : label}
              </div>
            )}
            <ul {...(label !== null && { "aria-label": label })}>
              {items.map(({ href, label: name, Icon }) => (
                <li key={href}>
                  <Tooltip label={name} position="right" withArrow disabled={!collapsed}>
                    <Link
                      href={keepEnvironment(href)}
                      className={styles["item"]}
                      aria-label={collapsed ? name : undefined}
                      aria-current={isWithin(href, pathname) ? "page" : undefined}
                      onClick={onNavigate}
                    >
                      <Icon size={16} stroke={1.5} aria-hidden="true" />
                      {!collapsed && <span>{name}</span>}
                      <LinkPending />
                    </Link>
                  </Tooltip>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </div>
      <div className={styles["foot"]}>
        {!collapsed && <Foot />}
        <Tooltip label={toggleLabel} position="right" withArrow>
          <button
            type="button"
            className={styles["collapse"]}
            aria-expanded={!collapsed}
            aria-label={toggleLabel}
            onClick={toggle}
          >
            <Toggle size={16} stroke={1.5} aria-hidden="true" />
          </button>
        </Tooltip>
      </div>
    </>
  );
}

function Foot() {
  const { issuer, version } = useInstallation();
  return (
    <div className={styles["about"]}>
      <div title={issuer}>
        Issuer:{" "}
        <a
          href={`${issuer}/.well-known/openid-configuration`}
          target="_blank"
          rel="noreferrer"
          title="Open the server’s metadata"
        >
          {issuer.replace(/^https?:\/\//, "")}
        </a>
      </div>
      <div>Gatehouse {version}</div>
    </div>
  );
}

/** Placed inside a link: a spinner while the link's page loads. */
function LinkPending() {
  const { pending } = useLinkStatus();
  return pending ? <Loader size={14} aria-label="Loading" className={`link-pending ${styles["pending"]}`} /> : null;
}
