import type { Application, ClientView } from "@/trpc/types.ts";

/** What a section of a client's page shows. */
export type PanelProps = {
  application: Application;
  /** The registration that the page shows. */
  client: ClientView;
  /** The same client in every environment. */
  clients: readonly ClientView[];
  issuer: string;
};
