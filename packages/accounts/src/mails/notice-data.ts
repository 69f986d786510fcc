/** Data of a notice about an account: what the browser that caused it was. SN-04. */
export type NoticeData = {
  /** Unix seconds. */
  at: number;
  /** The `User-Agent` header as sent; the template shows the device that it names. */
  userAgent: string | null;
  /** The caller's IP address. */
  address: string | null;
};
