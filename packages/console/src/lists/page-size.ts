/** How many rows a list can load at a time. */
export const PAGE_SIZES = [25, 50, 100] as const;
const DEFAULT_PAGE_SIZE = 50;

/** The page size that the URL parameter `limit` asks for; the default for any other value. CO-84. */
export function pageSizeFrom(limit: string | null | undefined): number {
  return PAGE_SIZES.find((size) => String(size) === limit) ?? DEFAULT_PAGE_SIZE;
}
