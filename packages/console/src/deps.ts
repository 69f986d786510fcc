import type { AccountDeps, Upstream } from "@gatehouse/accounts";
import type { Config, Deps } from "@gatehouse/auth";
import type { Db, ReadDb } from "@gatehouse/db/query/db";
import type { WriteHealth } from "@gatehouse/db/stores/stats/store";
import type { ReceiveDeps } from "@gatehouse/webhooks";
import type { Outbox } from "./mails/outbox.ts";
import type { SettingsInForce } from "./settings/in-force.ts";
import type { HostFacts } from "./status/host-facts.ts";

/** The protocol's configuration, and that of the console. */
export type ConsoleConfig = Config & {
  /** The redirect URI of test runs, `<console>/try/callback`. Without it none can start. CO-38. */
  consoleCallback?: string;
};

/** What operations depend on: the protocol's dependencies and the database. Take only the part you use. */
export type OperationDeps = Deps &
  AccountDeps & {
    config: ConsoleConfig;
    db: Db;
    /** For the console's lists, which can be slow: on SQLite they run outside the event loop. */
    reads: ReadDb;
    /** For lists and exports alone, which may be some seconds behind: `DATABASE_READ_URL`. By default `reads`. OP-33 */
    lists?: ReadDb | undefined;
    /** How this process's last write of counts went. */
    writeHealth?: () => WriteHealth;
    /**
     * Requests to payment providers, for signatures that need a certificate. Without them, such a signature is not
     * diagnosed.
     */
    providerRequests?: ReceiveDeps["outbound"];
    /** Requests to the providers that users sign in with. */
    upstream: Upstream;
    /** What this machine shows of the installation. Undefined where nothing can be seen of it. */
    host?: () => Promise<HostFacts>;
    /** Without it, mail is off. */
    outbox?: Outbox;
    /** The data is made up, and no procedure changes it. */
    demo?: boolean;
    /** The settings that admins see and change. */
    settings?: SettingsInForce;
    /**
     * Replaces these for the console's procedures, so that they do not take connections from clients and users. OP-26.
     */
    console?: { db: Db; store: Deps["store"] };
  };
