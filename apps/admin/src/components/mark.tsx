import { MARK_PATH } from "@gatehouse/ui/mark";

/** The logo. Decorative: the product name is always beside it. */
export function Mark({ size = 24 }: { size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      aria-hidden="true"
      style={{ color: "var(--gh-accent)", flexShrink: 0 }}
    >
      <path d={MARK_PATH} fill="currentColor" fillRule="evenodd" />
    </svg>
  );
}
