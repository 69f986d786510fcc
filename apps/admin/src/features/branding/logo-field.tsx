"use client";

import { Button, FileButton, Group, Input, Stack, Text } from "@mantine/core";
import { useId } from "@mantine/hooks";
import { useRef } from "react";
import { Permitted } from "@/components/permitted.tsx";
import type { LogoDraft } from "./logo-draft.ts";
import classes from "./logo-field.module.css";

const LIMITS =
  "PNG, JPEG or WebP, up to 180 KiB and 4 megapixels. Pages show it 32 pixels high. Of an animation, only the first frame is kept.";

type Props = {
  logo: LogoDraft;
  /** Why the user can't change it. */
  reason?: string | undefined;
};

/** Chooses a logo and shows it on both themes. The form's Save uploads it. CO-68. */
export function LogoField({ logo, reason }: Props) {
  const id = useId();
  const upload = useRef<HTMLButtonElement>(null);
  const { shown, saved, dirty, error } = logo;
  function remove(): void {
    logo.remove();
    upload.current?.focus(); // the button that had the focus is gone
  }
  return (
    <Input.Wrapper
      id={id}
      labelElement="div"
      label="Logo"
      description={LIMITS}
      error={error && <span role="alert">{error}</span>}
      inputWrapperOrder={["label", "description", "input", "error"]}
    >
      <Stack
        gap="xs"
        my={6}
        role="group"
        aria-labelledby={`${id}-label`}
        aria-describedby={`${id}-description${error === undefined ? "" : ` ${id}-error`}`}
      >
        {(shown !== null || dirty) && (
          <div className={classes["tiles"]}>
            {shown !== null && (
              <Tile logo={shown} alt={dirty ? "New logo" : "Current logo"} theme="light" caption="Light" />
            )}
            {shown !== null && <Tile logo={shown} alt="" theme="dark" caption="Dark" />}
            {dirty && saved !== null && (
              <Tile
                logo={saved}
                alt="Current logo"
                theme="light"
                caption={shown === null ? "Removed when you save" : "Until you save"}
              />
            )}
          </div>
        )}
        <Group gap="xs">
          <FileButton onChange={logo.choose} accept="image/png,image/jpeg,image/webp" disabled={reason !== undefined}>
            {(props) => (
              <Permitted reason={reason}>
                <Button ref={upload} variant="default" size="xs" {...props}>
                  {shown === null ? "Choose logo" : "Replace logo"}
                </Button>
              </Permitted>
            )}
          </FileButton>
          {shown !== null && reason === undefined && (
            <Button variant="subtle" size="xs" color="red" onClick={remove}>
              Remove logo
            </Button>
          )}
        </Group>
        {dirty && (
          <Text size="xs" c="dimmed">
            Not saved yet.
          </Text>
        )}
      </Stack>
    </Input.Wrapper>
  );
}

type TileProps = { logo: string; alt: string; theme: "light" | "dark"; caption: string };

/** A logo as the header of a page shows it. */
function Tile({ logo, alt, theme, caption }: TileProps) {
  return (
    <figure className={classes["tile"]}>
      <div className={classes["header"]} data-theme={theme}>
        <img src={logo} alt={alt} />
      </div>
      <figcaption>{caption}</figcaption>
    </figure>
  );
}
