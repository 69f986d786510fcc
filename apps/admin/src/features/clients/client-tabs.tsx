import dynamic from "next/dynamic";
import type { ComponentType } from "react";
import { RowsSkeleton } from "@/components/state.tsx";
import type { ClientView } from "@/trpc/types.ts";
import { CLIENT_TYPES } from "./client-types.ts";
import type { PanelProps } from "./panel.ts";

// The code of a tab is loaded with the page only if the page opens on that tab. CO-99.
const OverviewPanel = dynamic(() => import("./overview-panel.tsx").then((module) => module.OverviewPanel), {
  loading: () => <RowsSkeleton rows={2} height={200} />,
});
const QuickStart = dynamic<PanelProps>(
  () => import("./quick-start/quick-start.tsx").then((module) => module.QuickStart),
  {
    loading: () => <RowsSkeleton rows={2} height={240} />,
  },
);
const TryPanel = dynamic(() => import("./try/try-panel.tsx").then((module) => module.TryPanel), {
  loading: () => <RowsSkeleton rows={2} height={80} />,
});
const SettingsPanel = dynamic(() => import("./settings/settings-panel.tsx").then((module) => module.SettingsPanel), {
  loading: () => <RowsSkeleton rows={4} height={180} />,
});
const SecretsPanel = dynamic(() => import("./secrets/secrets-panel.tsx").then((module) => module.SecretsPanel), {
  loading: () => <RowsSkeleton rows={3} height={64} />,
});
const PreviewsPanel = dynamic(() => import("./previews/previews.tsx").then((module) => module.PreviewsPanel), {
  loading: () => <RowsSkeleton rows={3} height={64} />,
});
const UsePanel = dynamic(() => import("./use/use-panel.tsx").then((module) => module.UsePanel), {
  loading: () => <RowsSkeleton rows={1} height={200} />,
});
const HistoryPanel = dynamic(() => import("./history-panel.tsx").then((module) => module.HistoryPanel), {
  loading: () => <RowsSkeleton rows={4} height={64} />,
});

/**
 * Production never has preview slots, nor has a client without redirect URIs, or one that no admin registered. CO-28.
 */
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
  { value: "quick-start", label: "Quick start", Panel: QuickStart },
  { value: "try", label: "Try", Panel: TryPanel },
  { value: "settings", label: "Settings", Panel: SettingsPanel },
  { value: "secrets", label: "Secrets", Panel: SecretsPanel, shown: ({ type }) => CLIENT_TYPES[type].confidential },
  { value: "previews", label: "Previews", Panel: PreviewsPanel, shown: takesPreviews },
  { value: "use", label: "Use", Panel: UsePanel },
  { value: "history", label: "History", Panel: HistoryPanel },
];
