import { providerMark } from "@gatehouse/ui/provider-marks";

/** The vendor's mark beside a provider's name, or nothing where the vendor allows none. */
export function ProviderMark({ provider }: { provider: { preset: string; name: string } }) {
  const mark = providerMark(provider);
  if (mark === undefined) return null;
  return (
    <svg viewBox={mark.viewBox} width={18} height={18} aria-hidden="true" style={{ flex: "none" }}>
      {mark.paths.map(({ d, fill = "currentColor" }) => (
        <path key={d} d={d} fill={fill} />
      ))}
    </svg>
  );
}
