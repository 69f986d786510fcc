import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { vi } from "vitest";
import { missingPackages, program } from "../form.ts";

/** A disk whose power can be cut: ext4 in a file of XFS, which a copy on write freezes at an instant. */
export type CutDisk = {
  /** Where it is mounted. */
  folder: string;
  /** The disk as it is now, as after a power cut: what was not yet handed to it is gone. Mounted, its journal replayed. */
  cut(): { folder: string; remove(): Promise<void> };
  close(): Promise<void>;
};

const XFS_MIB = 4_096;
const EXT4_MIB = 1_024;
const run = (name: string, ...args: string[]) => void execFileSync(program(name), args, { stdio: "pipe" });

/** Why no such disk can be made here; undefined if one can. */
export function missingForCuts(): string | undefined {
  const missing = missingPackages({ "mkfs.xfs": "xfsprogs", "mkfs.ext4": "e2fsprogs", losetup: "util-linux" });
  if (missing.length > 0) return `install the Debian packages ${missing.join(", ")}`;
  if (process.getuid?.() !== 0) return "only root mounts disks";
  try {
    execFileSync(program("losetup"), ["--find"], { stdio: "pipe" });
    return undefined;
  } catch {
    return "this machine has no loop devices";
  }
}

export function openCutDisk(): CutDisk {
  const root = mkdtempSync(join(tmpdir(), "gatehouse-ops-cuts-"));
  const place = (name: string) => join(root, name);
  const mounted: string[] = [];
  const mount = (image: string, name: string) => {
    const folder = place(name);
    mkdirSync(folder);
    run("mount", "-o", "loop", image, folder);
    mounted.unshift(folder);
    return folder;
  };
  const unmount = async (folder: string) => {
    // Processes that were killed have their files open for a moment more.
    await vi.waitFor(() => run("umount", folder), { timeout: 20_000, interval: 100 });
    mounted.splice(mounted.indexOf(folder), 1);
    rmSync(folder, { recursive: true });
  };
  const sparse = (file: string, mib: number) => run("truncate", "-s", `${mib}M`, file);

  sparse(place("xfs.img"), XFS_MIB);
  run("mkfs.xfs", "-q", "-m", "reflink=1", place("xfs.img"));
  const xfs = mount(place("xfs.img"), "xfs");
  const disk = join(xfs, "disk.img");
  sparse(disk, EXT4_MIB);
  run("mkfs.ext4", "-q", "-F", disk);
  const folder = mount(disk, "disk");
  let cuts = 0;
  return {
    folder,
    cut() {
      const image = join(xfs, `cut-${++cuts}.img`);
      run("cp", "--reflink=always", disk, image);
      const at = mount(image, `cut-${cuts}`);
      return {
        folder: at,
        async remove() {
          await unmount(at);
          rmSync(image);
        },
      };
    },
    async close() {
      for (const one of [...mounted]) await unmount(one);
      rmSync(root, { recursive: true });
    },
  };
}
