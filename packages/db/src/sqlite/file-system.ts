import { statfs } from "node:fs/promises";
import { dirname } from "node:path";

/**
 * A file system on which SQLite's locks and shared memory may not work. `network`: several machines can open the file
 * at once there, and none notices the others.
 */
export type ForeignFileSystem = { name: string; network: boolean };

const network = (name: string): ForeignFileSystem => ({ name, network: true });
const shared = (name: string): ForeignFileSystem => ({ name, network: false });

/** By the numbers of statfs(2). */
const FOREIGN: Readonly<Record<number, ForeignFileSystem>> = {
  26985: network("NFS"),
  20859: network("SMB"),
  4283649346: network("CIFS"),
  4266872130: network("SMB 2"),
  1937076805: network("Coda"),
  12805120: network("CephFS"),
  16914839: shared("9p"),
  1702057286: shared("FUSE"),
  2020557398: shared("a folder shared by VirtualBox"),
};

/** What the file is on, if it is not a disk of this machine; undefined elsewhere than on Linux. OP-09, OP-14 */
export async function foreignFileSystemOf(file: string): Promise<ForeignFileSystem | undefined> {
  if (process.platform !== "linux") return undefined;
  return foreignFileSystem((await statfs(dirname(file))).type);
}

/** `type`: of statfs(2), which some systems give as a signed number. */
export const foreignFileSystem = (type: number): ForeignFileSystem | undefined => FOREIGN[type >>> 0];
