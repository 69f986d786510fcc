import { posix } from "node:path";
import type { Seen } from "../seen.ts";
import { APP_ROUTER, type Trpc } from "../trpc.ts";
import type { NewFile } from "./new-file.ts";

/** What is appended to the file with `initTRPC`. PK-20 */
export const protectedProcedure = ({ builder }: Trpc): string => `
import { requires } from "@gatehouse/sdk/trpc";

/** For signed-in users: \`ctx.auth\` says who it is. */
export const protectedProcedure = ${builder}.procedure.use(requires());
`;

/** A sample router beside the root router, or in its folder \`routers\`. */
export function sampleRouter(root: string, factory: string, { file }: Trpc, { language }: Seen): NewFile {
  const folder = posix.join(posix.dirname(root), "routers");
  const text = `import { ${factory}, protectedProcedure } from "${relativeImport(folder, file)}";

/** A sample: only signed-in users can call it. */
export const accountRouter = ${factory}({
  me: protectedProcedure.query(({ ctx }) => ctx.auth.user),
});
`;
  return { path: `${folder}/account.${language}`, text };
}

/** The root router with the sample in it; undefined if it has one of that name. */
export function withSampleRouter(text: string, root: string, sample: string): string | undefined {
  if (/\baccount\s*:/.test(text)) return undefined;
  const importLine = `import { accountRouter } from "${relativeImport(posix.dirname(root), sample)}";\n`;
  const ending = text.endsWith("\n") ? "" : "\n";
  return `${text.replace(APP_ROUTER, (start) => `${start}\n  account: accountRouter,`)}${ending}\n${importLine}`;
}

function relativeImport(folder: string, file: string): string {
  const path = posix.relative(folder, file.replace(/\.[cm]?[jt]sx?$/, ""));
  return path.startsWith(".") ? path : `./${path}`;
}
