/** The logo as an SVG path for a 24 × 24 view box. Fill it with `fill-rule: evenodd`. */
export const MARK_PATH = "M12 1.5 3 5.6V22h18V5.6L12 1.5Zm-5 8.9a5 5 0 0 1 10 0V22h-2.2V11.2L9 13.4V22H7V10.4Z";
