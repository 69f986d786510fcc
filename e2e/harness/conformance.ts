// Lets the conformance runner start on the oldest Node that Gatehouse supports: it imports a newer function of `fs`
// that these commands never call.
import { register } from "node:module";

const FS = 'export * from "node:fs"; export { default } from "node:fs"; export const globSync = () => [];';
const HOOK = `
  const url = ${JSON.stringify(`data:text/javascript,${encodeURIComponent(FS)}`)};
  export const resolve = (specifier, context, next) =>
    specifier === "fs" && context.parentURL?.includes("/conformance/") ? { url, shortCircuit: true } : next(specifier, context);
`;
register(`data:text/javascript,${encodeURIComponent(HOOK)}`);
