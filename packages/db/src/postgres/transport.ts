import { isOnLoopback } from "@gatehouse/runtime/loopback";
import pg from "pg";

type Transport = {
  host: string;
  ssl: boolean | { rejectUnauthorized?: boolean; checkServerIdentity?: () => unknown };
};

/**
 * What is wrong with the way to a PostgreSQL server, in a sentence; undefined if its certificate is verified, or if it
 * is on this machine. Decided by what the driver makes of the URL and of PGSSLMODE. OP-100
 */
export function unverifiedTransport(url: string): string | undefined {
  const { host, ssl } = new pg.Client({ connectionString: url }) as unknown as Transport;
  if (host.startsWith("/") || isOnLoopback(host)) return undefined;
  if (ssl === false) return PLAIN(host);
  const isVerified = ssl === true || (ssl.rejectUnauthorized !== false && ssl.checkServerIdentity === undefined);
  return isVerified ? undefined : UNVERIFIED(host);
}

const MEND = "Set sslmode=verify-full in DATABASE_URL, and sslrootcert=<file> if its certificate is your own.";
const PLAIN = (host: string) =>
  `The connection to PostgreSQL at ${host} has no TLS: anybody on the network between can read and change everything. ${MEND}`;
const UNVERIFIED = (host: string) =>
  `The connection to PostgreSQL at ${host} has TLS, but nobody checks its certificate: anybody on the network between can pose as the database. ${MEND}`;
