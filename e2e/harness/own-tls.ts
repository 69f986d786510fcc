import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { generate } from "selfsigned";
import { newInstallation } from "./installation.ts";
import { freePort } from "./processes.ts";
import { startConsole, startWeb } from "./servers.ts";

export type OwnTls = {
  issuer: string;
  certificate: string;
  /** Starts the console with the same certificate; `stop` stops it too. Resolves to its address. */
  startConsole: () => Promise<string>;
  stop: () => Promise<void>;
};

/** A server that serves https itself, with a certificate for localhost. */
export async function startWithOwnTls(): Promise<OwnTls> {
  const port = await freePort();
  const issuer = `https://localhost:${port}`;
  const own = await newInstallation("sqlite", {
    GATEHOUSE_ISSUER: issuer,
    GATEHOUSE_EMAIL_SIGN_IN: "off", // which needs mail, and https has no mailbox
  });
  const made = await generate([{ name: "commonName", value: "localhost" }], {
    keyType: "ec",
    extensions: [
      { name: "basicConstraints", cA: false },
      { name: "subjectAltName", altNames: [{ type: 2, value: "localhost" }] },
    ],
  });
  const [certFile, keyFile] = [join(own.folder, "cert.pem"), join(own.folder, "key.pem")];
  await writeFile(certFile, made.cert);
  await writeFile(keyFile, made.private, { mode: 0o600 });
  const env = { ...own.env, GATEHOUSE_TLS_CERT_FILE: certFile, GATEHOUSE_TLS_KEY_FILE: keyFile };
  const running = [await startWeb(env, port)];
  return {
    issuer,
    certificate: made.cert,
    async startConsole() {
      const consolePort = await freePort();
      const address = `https://localhost:${consolePort}`;
      running.push(await startConsole({ ...env, GATEHOUSE_ADMIN_URL: address }, consolePort));
      return address;
    },
    async stop() {
      for (const one of running) await one.stop();
      await own.remove();
    },
  };
}
