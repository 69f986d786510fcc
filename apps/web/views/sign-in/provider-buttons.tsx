/** @jsxImportSource preact */
import { providerMark } from "@gatehouse/ui/provider-marks";
import type { ComponentProps } from "preact";
import type { Frame } from "../frame.ts";

/** `preset`: the kind of provider, which decides the mark. */
export type UpstreamButton = { id: string; name: string; preset: string };

/**
 * A button for each provider, in a form that has the CSRF token, the continuation, "Keep me signed in" and the address.
 * UP-02.
 */
export function UpstreamButtons({ frame, providers }: { frame: Frame; providers: readonly UpstreamButton[] }) {
  return providers.map((provider) => (
    <ProviderButton frame={frame} provider={provider} formaction={`/sign-in/with/${provider.id}`} formnovalidate />
  ));
}

type ProviderButtonProps = Pick<ComponentProps<"button">, "formaction" | "formnovalidate"> & {
  frame: Frame;
  provider: UpstreamButton;
};

/** Submits its form. With the vendor's mark, in the vendor's own colors and words, where the vendor allows that. */
export function ProviderButton({ frame, provider, ...attributes }: ProviderButtonProps) {
  const { name, preset } = provider;
  const { upstream } = frame.texts;
  const marked = providerMark(provider) !== undefined;
  return (
    <button class={`button quiet${marked ? ` vendor ${preset}` : ""}`} type="submit" {...attributes}>
      <ProviderMark provider={provider} />
      {/* Microsoft's guidelines have no "Continue with". */}
      {marked && preset === "microsoft" ? upstream.signInWith(name) : upstream.continueWith(name)}
    </button>
  );
}

/** The vendor's mark, or nothing. */
export function ProviderMark({ provider }: { provider: { preset: string; name: string } }) {
  const mark = providerMark(provider);
  if (mark === undefined) return null;
  return (
    <svg class="vendor-mark" viewBox={mark.viewBox} aria-hidden="true">
      {mark.paths.map(({ d, fill = "currentColor" }) => (
        <path d={d} fill={fill} />
      ))}
    </svg>
  );
}
