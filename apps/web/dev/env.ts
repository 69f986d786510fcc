import { loadEnvFile } from "@gatehouse/runtime/env-file";
import { isLoopbackUrl, LOOPBACK_ADDRESSES } from "@gatehouse/runtime/loopback";
import { readTrustedProxies, type TrustedProxies } from "@gatehouse/runtime/trusted-proxies";

/** What the development server needs of its environment. The server checks all of it. */
export type DevEnv = {
  issuer: string;
  port: number;
  hosts: readonly string[];
  trustedProxies: TrustedProxies | undefined;
  /** For the process of Next. */
  variables: NodeJS.ProcessEnv;
  /** For the server, which listens on this port behind the development server alone, and takes addresses from it. */
  variablesOfServer(port: number): NodeJS.ProcessEnv;
};

/** The environment of this process, with the file `.env`. */
export function devEnv(): DevEnv {
  loadEnvFile(process.env, process.cwd());
  const port = process.env["PORT"] || "3000";
  const issuer = process.env["GATEHOUSE_ISSUER"] || `http://localhost:${port}`;
  const host = process.env["HOST"];
  const variables = { ...process.env, GATEHOUSE_ISSUER: issuer };
  return {
    issuer,
    port: Number(port),
    hosts: host ? [host] : isLoopbackUrl(issuer) ? LOOPBACK_ADDRESSES : ["0.0.0.0"],
    trustedProxies: readTrustedProxies(process.env),
    variables,
    variablesOfServer: (inner) => ({
      ...variables,
      PORT: String(inner),
      HOST: "127.0.0.1",
      GATEHOUSE_TRUST_PROXY: "1",
      GATEHOUSE_TRUSTED_PROXIES: "",
    }),
  };
}
