import type { ComponentType } from "react";
import type { Application, ClientView } from "@/trpc/types.ts";
import { CLIENT_TYPES } from "./client-types.ts";
import { HistoryPanel } from "./history-panel.tsx";
import { OverviewPanel } from "./overview-panel.tsx";
import { PreviewsPanel } from "./previews/previews-panel.tsx";
import { QuickStartPanel } from "./quick-start-panel.tsx";
import { SecretsPanel } from "./secrets/secrets-panel.tsx";
import { SettingsPanel } from "./settings/settings-panel.tsx";
import { TryPanel } from "./try-panel.tsx";
import { UsePanel } from "./use/use-panel.tsx";

export type PanelProps = {
  application: Application;
  /** The registration that the page shows. */
  client: ClientView;
  /** The same client in every environment. */
  clients: readonly ClientView[];
  issuer: string;
};

/** Production never has preview slots, nor has a client without redirect URIs, or one that no admin registered. CO-28. */
const takesPreviews = ({ environment, origin, type }: ClientView) =>
  environment !== "production" && origin === "registered" && CLIENT_TYPES[type].redirects;

export type ClientTab = {
  /** Its value in the URL's `tab=`. */
  value: string;
  label: string;
  Panel: ComponentType<PanelProps>;
  /** Hides the tab for clients that have nothing there. */
  shown?: (client: ClientView) => boolean;
};

/** The sections of a client's page, at `?tab=`. CO-01. */
export const CLIENT_TABS: readonly ClientTab[] = [
  { value: "overview", label: "Overview", Panel: OverviewPanel },
  { value: "quick-start", label: "Quick start", Panel: QuickStartPanel },
  { value: "try", label: "Try", Panel: TryPanel },
  { value: "settings", label: "Settings", Panel: SettingsPanel },
  { value: "secrets", label: "Secrets", Panel: SecretsPanel, shown: ({ type }) => CLIENT_TYPES[type].confidential },
  { value: "previews", label: "Previews", Panel: PreviewsPanel, shown: takesPreviews },
  { value: "use", label: "Use", Panel: UsePanel },
  { value: "history", label: "History", Panel: HistoryPanel },
];
