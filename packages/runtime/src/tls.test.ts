import { once } from "node:events";
import { chmodSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { request as plainRequest, type Server } from "node:http";
import { request as tlsRequest } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect } from "node:tls";
import { generate } from "selfsigned";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { createLimitedServer } from "./limited-server.mjs";
import { certificateEnd, readCertificate, readTlsFiles, reloadCertificates, type TlsFiles } from "./tls.mjs";

const ORIGIN = "https://id.example.com";
const EVERYWHERE = { "X-Content-Type-Options": "nosniff", "Strict-Transport-Security": "max-age=31536000" };

let folder: string;
let files: TlsFiles;
let server: Server;
const reloads: (string | undefined)[] = [];

async function write(to: TlsFiles, options: { name?: string; endsAt?: Date } = {}): Promise<void> {
  const { name = "id.example.com", endsAt = new Date("2100-01-01") } = options;
  const made = await generate([{ name: "commonName", value: name }], {
    keyType: "ec",
    notBeforeDate: new Date(0),
    notAfterDate: endsAt,
  });
  // As certbot does: the new file takes the place of the old one.
  for (const [file, text] of [
    [to.certFile, made.cert],
    [to.keyFile, made.private],
  ] as const) {
    writeFileSync(`${file}.new`, text, { mode: 0o600 });
    renameSync(`${file}.new`, file);
  }
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "gatehouse-tls-"));
  files = { certFile: join(folder, "cert.pem"), keyFile: join(folder, "key.pem") };
  await write(files);
  server = createLimitedServer((_, outgoing) => outgoing.end("served"), {
    tooLarge: () => ({ body: "too large" }),
    everywhere: EVERYWHERE,
    unfinished: { callerOf: () => undefined },
    tls: { files, publicOrigin: ORIGIN, onReload: (error) => void reloads.push(error?.message), everyMs: 40 },
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
});
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true });
});
afterEach(() => write(files));

const port = () => (server.address() as AddressInfo).port;

type Answer = { status: number | undefined; headers: NodeJS.Dict<string | string[]>; text: string };

function ask(send: typeof plainRequest, path: string, method = "GET", body = ""): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const options = { port: port(), host: "127.0.0.1", path, method, rejectUnauthorized: false, agent: false };
    const sent = send(options, async (incoming) => {
      const text = (await incoming.toArray()).join("");
      resolve({ status: incoming.statusCode, headers: incoming.headers, text });
    });
    sent.on("error", reject).end(body);
  });
}

/** What a client learns from a handshake: the version, and whose the certificate is. */
async function handshake(options: object = {}): Promise<{ version: string | null; name: unknown }> {
  const socket = connect({ port: port(), host: "127.0.0.1", rejectUnauthorized: false, ...options });
  try {
    await once(socket, "secureConnect");
    return { version: socket.getProtocol(), name: socket.getPeerCertificate().subject.CN };
  } finally {
    socket.destroy();
  }
}

describe("a server with its own TLS", () => {
  test("OP-95 serves https", async () => {
    expect(await ask(tlsRequest, "/token")).toMatchObject({ status: 200, text: "served" });
  });

  test("OP-95 redirects plain HTTP on the same port to the configured origin, whatever the Host header", async () => {
    const answer = await ask(plainRequest, "/sign-in?next=%2Faccount");
    expect(answer).toMatchObject({ status: 308, headers: { location: `${ORIGIN}/sign-in?next=%2Faccount` } });
    expect(answer.headers).toMatchObject({ "x-content-type-options": "nosniff", connection: "close" });
    expect(answer.headers["strict-transport-security"]).toBeUndefined(); // which plain HTTP must not send
    expect((await ask(plainRequest, "http://evil.example/x")).headers["location"]).toBe(`${ORIGIN}/`);
    expect((await ask(plainRequest, "//evil.example/x")).headers["location"]).toBe(`${ORIGIN}//evil.example/x`);
  });

  test("OP-95 refuses what else comes by plain HTTP, but for the probes of a balancer", async () => {
    expect(await ask(plainRequest, "/token", "POST", "client_secret=x")).toMatchObject({
      status: 403,
      text: expect.stringContaining("Use https"),
    });
    for (const path of ["/healthz", "/readyz"])
      expect(await ask(plainRequest, path)).toMatchObject({ status: 200, text: "served" });
  });

  test("OP-95 speaks TLS 1.2 and 1.3 with forward secrecy, and nothing before", async () => {
    for (const version of ["TLSv1.2", "TLSv1.3"] as const) {
      expect(await handshake({ minVersion: version, maxVersion: version })).toMatchObject({ version });
    }
    const old = { minVersion: "TLSv1", maxVersion: "TLSv1.1", ciphers: "ALL:@SECLEVEL=0" } as const;
    await expect(handshake(old)).rejects.toThrow();
    await expect(handshake({ maxVersion: "TLSv1.2", ciphers: "AES128-SHA:AES128-GCM-SHA256" })).rejects.toThrow();
    await expect(handshake({ maxVersion: "TLSv1.2", ciphers: "ECDHE-ECDSA-AES128-SHA" })).rejects.toThrow();
  });

  test("OP-95 uses a new certificate when the files change, and keeps the one before if the new one does not fit", async () => {
    const subject = async () => (await handshake()).name;
    await write(files, { name: "new.example.com" });
    await expect.poll(subject).toBe("new.example.com");
    writeFileSync(files.certFile, "nonsense");
    await expect.poll(() => reloads.at(-1)).toContain("not a certificate");
    expect(await subject()).toBe("new.example.com");
  });

  test("OP-17 reads the files at once when it is asked to", async () => {
    await write(files, { name: "asked.example.com" });
    const told = reloads.length;
    reloadCertificates();
    expect(reloads.slice(told)).toEqual([undefined]); // before anything could notice the change
    expect((await handshake()).name).toBe("asked.example.com");
  });
});

test("OP-79 when a certificate ends; a file without one, or no file, says nothing", async () => {
  const ended = { certFile: join(folder, "ended.pem"), keyFile: join(folder, "ended-key.pem") };
  await write(ended, { endsAt: new Date("2026-03-01T12:00:00Z") });
  expect(certificateEnd(ended.certFile)).toBe(Date.parse("2026-03-01T12:00:00Z") / 1000);
  expect(certificateEnd(ended.keyFile)).toBeUndefined();
  expect(certificateEnd(join(folder, "none.pem"))).toBeUndefined();
});

describe("what is refused at the start", () => {
  const named = (error: unknown) => ({ exitCode: 78, message: expect.stringContaining(String(error)) });
  const read = (given: Partial<TlsFiles>) => () => readCertificate({ ...files, ...given });

  test("OP-95 one file without the other, and https for an address that is http", () => {
    const both = { GATEHOUSE_TLS_CERT_FILE: "cert.pem", GATEHOUSE_TLS_KEY_FILE: "/etc/key.pem" };
    expect(readTlsFiles({}, ORIGIN, "/srv")).toBeUndefined();
    expect(readTlsFiles(both, ORIGIN, "/srv")).toEqual({ certFile: "/srv/cert.pem", keyFile: "/etc/key.pem" });
    for (const [given, url, message] of [
      [{ GATEHOUSE_TLS_CERT_FILE: "cert.pem" }, ORIGIN, "GATEHOUSE_TLS_KEY_FILE must be set too"],
      [{ GATEHOUSE_TLS_KEY_FILE: "key.pem" }, ORIGIN, "GATEHOUSE_TLS_CERT_FILE must be set too"],
      [both, "http://localhost:3000", "is for https"],
    ] as const)
      expect(() => readTlsFiles(given, url, "/srv")).toThrow(expect.objectContaining(named(message)));
  });

  test("OP-95 a file that is missing, is something else, has ended, is another's key, or can be read by others", async () => {
    const other = { certFile: join(folder, "other.pem"), keyFile: join(folder, "other-key.pem") };
    await write(other, { endsAt: new Date(1) });
    expect(read({ certFile: join(folder, "none.pem") })).toThrow(expect.objectContaining(named("cannot be read")));
    expect(read({ certFile: files.keyFile })).toThrow(expect.objectContaining(named("not a certificate")));
    expect(read({ keyFile: files.certFile })).toThrow(expect.objectContaining(named("not a private key")));
    expect(read({ keyFile: other.keyFile })).toThrow(expect.objectContaining(named("is not the key")));
    expect(read(other)).toThrow(expect.objectContaining(named("ended on")));
    chmodSync(files.keyFile, 0o644);
    expect(read({})).toThrow(expect.objectContaining(named("other users can read")));
  });
});
