/**
 * A loader of Next's development server. Of the server, React pages use the newest bundle, which the process of Next
 * keeps on `globalThis`. Next would otherwise compile the whole server before the first page.
 */
export default function loadNewestBundle() {
  return "export const server = new Proxy({}, { get: (_, name) => globalThis.gatehouseServer[name] });";
}
