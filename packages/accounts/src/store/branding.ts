/** How an application looks. Absent: as the product. BD-01. */
export type BrandingSettings = {
  displayName?: string | undefined;
  /** `#rrggbb`. */
  colour?: string | undefined;
  termsUrl?: string | undefined;
  privacyUrl?: string | undefined;
  supportUrl?: string | undefined;
};
