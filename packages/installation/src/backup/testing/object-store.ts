import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import S3rver from "@20minutes/s3rver";

/** The one account of the server. */
export const ACCESS_KEY = { accessKeyId: "S3RVER", secretAccessKey: "S3RVER" };
export const BUCKET = "backups";

/** What a store answers instead of doing what it was asked. */
export type Refusal = { status: number; code: string };

export type TestObjectStore = {
  endpoint: string;
  /** The requests that came in, as `PUT /bucket/key`. */
  requests: string[];
  /** Refuses requests from now on, as a full or restricted store does. */
  refuse(how: (request: IncomingMessage) => Refusal | undefined): void;
  close(): Promise<void>;
};

/**
 * Starts an S3-compatible server with one bucket over HTTP. `signed`: it checks signatures; it then refuses those of
 * lists, because it signs their path without the slash at its end.
 */
export async function startObjectStore({ signed = false }: { signed?: boolean } = {}): Promise<TestObjectStore> {
  const directory = mkdtempSync(join(tmpdir(), "gatehouse-objects-"));
  const options = { directory, silent: true, allowMismatchedSignatures: !signed };
  const store = new S3rver({ ...options, configureBuckets: [{ name: BUCKET }] });
  await store.configureBuckets();
  const answer = store.callback();
  const requests: string[] = [];
  let refusalOf: (request: IncomingMessage) => Refusal | undefined = () => undefined;

  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url?.split("?")[0]}`);
    const refusal = refusalOf(request);
    if (!refusal) return answer(request, response);
    request.resume();
    return response
      .writeHead(refusal.status, { "content-type": "application/xml" })
      .end(`<?xml version="1.0"?><Error><Code>${refusal.code}</Code><Message>refused</Message></Error>`);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    refuse(how) {
      refusalOf = how;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
