import type { Server } from "node:https";
import type { SecureContextOptions } from "node:tls";

export type TlsFiles = { certFile: string; keyFile: string };

/**
 * The files of GATEHOUSE_TLS_CERT_FILE and GATEHOUSE_TLS_KEY_FILE, relative to `folder`; undefined if neither is set.
 * Throws an error with `exitCode` 78 that names the variable. OP-95
 */
export function readTlsFiles(
  variables: Readonly<Record<string, string | undefined>>,
  publicUrl: string,
  folder: string,
): TlsFiles | undefined;

/**
 * Reads a certificate with its chain and its key, with what the server accepts of TLS: 1.2 and 1.3, forward secrecy.
 * Throws an error with `exitCode` 78 if the two do not belong together, have ended or can be read by others.
 */
export function readCertificate(files: TlsFiles): SecureContextOptions & { honorCipherOrder: boolean };

/** When the first certificate of a file ends, in Unix seconds; undefined if this process cannot read one there. */
export function certificateEnd(certFile: string): number | undefined;

/**
 * Has the server use the files again when they change, until it is closed; one that does not fit is reported and not
 * used. OP-95
 */
export function followCertificate(
  server: Server,
  files: TlsFiles,
  onReload: (error?: Error) => void,
  everyMs?: number,
): void;

/** Has every server of this process that follows a certificate read its files now. OP-17 */
export function reloadCertificates(): void;
