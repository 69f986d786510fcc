/** A vendor's mark. A path without a fill has the color of the text around it. */
export type ProviderMark = { viewBox: string; paths: readonly { d: string; fill?: string }[] };

/**
 * The marks that their vendors allow on a button that signs in with them, in the vendors' own geometry and colors, by
 * preset. docs/sign-in-providers.md has the rules, and why Apple and GitLab have none here.
 */
const MARKS: Readonly<Record<string, ProviderMark & { name: string }>> = {
  google: {
    name: "Google",
    viewBox: "0 0 48 48",
    paths: [
      {
        fill: "#EA4335",
        d: "M24 9.5c3.54 0 6.71 1.22 9.21 3.6l6.85-6.85C35.9 2.38 30.47 0 24 0 14.62 0 6.51 5.38 2.56 13.22l7.98 6.19C12.43 13.72 17.74 9.5 24 9.5z",
      },
      {
        fill: "#4285F4",
        d: "M46.98 24.55c0-1.57-.15-3.09-.38-4.55H24v9.02h12.94c-.58 2.96-2.26 5.48-4.78 7.18l7.73 6c4.51-4.18 7.09-10.36 7.09-17.65z",
      },
      {
        fill: "#FBBC05",
        d: "M10.53 28.59c-.48-1.45-.76-2.99-.76-4.59s.27-3.14.76-4.59l-7.98-6.19C.92 16.46 0 20.12 0 24c0 3.88.92 7.54 2.56 10.78l7.97-6.19z",
      },
      {
        fill: "#34A853",
        d: "M24 48c6.48 0 11.93-2.13 15.89-5.81l-7.73-6c-2.15 1.45-4.92 2.3-8.16 2.3-6.26 0-11.57-4.22-13.47-9.91l-7.98 6.19C6.51 42.62 14.62 48 24 48z",
      },
    ],
  },
  microsoft: {
    name: "Microsoft",
    viewBox: "0 0 21 21",
    paths: [
      { fill: "#F25022", d: "M0 0h10v10H0z" },
      { fill: "#7FBA00", d: "M11 0h10v10H11z" },
      { fill: "#00A4EF", d: "M0 11h10v10H0z" },
      { fill: "#FFB900", d: "M11 11h10v10H11z" },
    ],
  },
  github: {
    name: "GitHub",
    viewBox: "0 0 24 24",
    paths: [
      {
        d: "M10.226 17.284c-2.965-.36-5.054-2.493-5.054-5.256 0-1.123.404-2.336 1.078-3.144-.292-.741-.247-2.314.09-2.965.898-.112 2.111.36 2.83 1.01.853-.269 1.752-.404 2.853-.404 1.1 0 1.999.135 2.807.382.696-.629 1.932-1.1 2.83-.988.315.606.36 2.179.067 2.942.72.854 1.101 2 1.101 3.167 0 2.763-2.089 4.852-5.098 5.234.763.494 1.28 1.572 1.28 2.807v2.336c0 .674.561 1.056 1.235.786 4.066-1.55 7.255-5.615 7.255-10.646C23.5 6.188 18.334 1 11.978 1 5.62 1 .5 6.188.5 12.545c0 4.986 3.167 9.12 7.435 10.669.606.225 1.19-.18 1.19-.786V20.63a2.9 2.9 0 0 1-1.078.224c-1.483 0-2.359-.808-2.987-2.313-.247-.607-.517-.966-1.034-1.033-.27-.023-.359-.135-.359-.27 0-.27.45-.471.898-.471.652 0 1.213.404 1.797 1.235.45.651.921.943 1.483.943.561 0 .92-.202 1.437-.719.382-.381.674-.718.944-.943",
      },
    ],
  },
};

/**
 * The mark of a provider; undefined where the vendor allows none. The vendors prescribe their name beside it, so a
 * provider under another name has no mark.
 */
export function providerMark({ preset, name }: { preset: string; name: string }): ProviderMark | undefined {
  const mark = MARKS[preset];
  return mark?.name === name ? mark : undefined;
}
