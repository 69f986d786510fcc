import type { PresetId } from "../provider.ts";
import { apple } from "./apple.ts";
import { github } from "./github.ts";
import { gitlab } from "./gitlab.ts";
import { google } from "./google.ts";
import { microsoft } from "./microsoft.ts";
import { oidc } from "./oidc.ts";
import type { Preset } from "./preset.ts";

/** Every kind of provider. The order is that of the picker in the console. */
export const PRESETS: Readonly<Record<PresetId, Preset>> = { google, microsoft, github, apple, gitlab, oidc };
