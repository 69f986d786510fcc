/** @jsxImportSource preact */
import { directionOf } from "@gatehouse/languages";
import { brandTheme } from "@gatehouse/ui/brand";
import { renderToString } from "preact-render-to-string";
import type { Block, Letter, LetterContext } from "./letter.ts";

/** A mail ready to send. */
export type RenderedMail = { subject: string; text: string; html: string };

/** Writes a letter as text and as HTML. Loads nothing from anywhere: no pictures, fonts or counters. EM-04. */
export function frame(letter: Letter, context: LetterContext): RenderedMail {
  return {
    subject: letter.subject,
    text: asText(letter, context),
    html: `<!doctype html>${renderToString(<Page letter={letter} context={context} />)}`,
  };
}

function asText({ blocks }: Letter, context: LetterContext): string {
  const { texts, product, issuer } = context;
  const links = linksOf(context).map(({ label, href }) => `${label}: ${href}`);
  const footer = ["-- ", texts.mailFrame.footer(product, issuer), ...links].join("\n");
  return `${[...blocks.map(blockAsText), footer].join("\n\n")}\n`;
}

/** The links of the footer, as the pages have them. BD-01. */
function linksOf({ links = {}, texts }: LetterContext): { label: string; href: string }[] {
  return (["terms", "privacy", "support"] as const).flatMap((name) => {
    const href = links[name];
    return href === undefined ? [] : [{ label: texts.layout[name], href }];
  });
}

function blockAsText(block: Block): string {
  switch (block.kind) {
    case "text":
      return block.text;
    case "button":
      return `${block.label}:\n${block.href}`;
    case "code":
      return `    ${block.code}`;
    case "facts":
      return block.facts.map(([label, value]) => `${label}: ${value}`).join("\n");
  }
}

// Mail programs ignore most style sheets, so each element has its own style. The colours are readable on white and on
// black.
const FONT = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
const PARAGRAPH = "margin:0 0 16px;font-size:16px;line-height:24px";
const SMALL = "margin:0 0 16px;font-size:13px;line-height:20px";
/** The accent of tokens.css in its light theme. */
const OWN_ACCENT = "#4f46e5";
/** White text has a contrast of 4.5 on our own accent, and on the light shade of every brand. BD-01. */
const accentOf = (colour: string | undefined) => (colour === undefined ? OWN_ACCENT : brandTheme(colour).light.accent);
const buttonStyle = (colour: string | undefined) =>
  `display:inline-block;padding:12px 20px;border-radius:8px;background:${accentOf(colour)};color:#ffffff;font-size:16px;font-weight:600;text-decoration:none`;
const CODE =
  "margin:0 0 16px;padding:16px;border:1px solid #c4c9d4;border-radius:8px;font:600 28px/36px ui-monospace,Menlo,Consolas,monospace;letter-spacing:4px;text-align:center";

function Page({ letter, context }: { letter: Letter; context: LetterContext }) {
  const { texts, locale, product, issuer, colour } = context;
  return (
    <html lang={locale} dir={directionOf(locale)}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{letter.subject}</title>
      </head>
      <body style={`margin:0;padding:24px 16px;${FONT}`}>
        <div style={`max-width:520px;margin:0 auto;border-top:4px solid ${accentOf(colour)}`}>
          <p style="margin:20px 0 24px;font-size:15px;font-weight:600">
            <bdi>{product}</bdi>
          </p>
          <h1 style="margin:0 0 16px;font-size:22px;line-height:28px">{letter.subject}</h1>
          {letter.blocks.map((block) => (
            <BlockAsHtml block={block} context={context} />
          ))}
          <p style={`${SMALL};margin-top:32px;padding-top:16px;border-top:1px solid #c4c9d4`}>
            {texts.mailFrame.footer(product, issuer)}
            {linksOf(context).map(({ label, href }) => (
              <>
                {" · "}
                <a href={href} style="color:inherit">
                  {label}
                </a>
              </>
            ))}
          </p>
        </div>
      </body>
    </html>
  );
}

function BlockAsHtml({ block, context: { texts, colour } }: { block: Block; context: LetterContext }) {
  switch (block.kind) {
    case "text":
      return <p style={PARAGRAPH}>{block.text}</p>;
    case "button":
      return (
        <>
          <p style="margin:0 0 16px">
            <a href={block.href} style={buttonStyle(colour)}>
              {block.label}
            </a>
          </p>
          <p style={SMALL}>
            {texts.mailFrame.copyLink}
            <br />
            <span style="word-break:break-all" dir="ltr">
              {block.href}
            </span>
          </p>
        </>
      );
    case "code":
      return (
        <p style={CODE} dir="ltr">
          {block.code}
        </p>
      );
    case "facts":
      return (
        <p style={PARAGRAPH}>
          {block.facts.map(([label, value]) => (
            <>
              {label}: <bdi>{value}</bdi>
              <br />
            </>
          ))}
        </p>
      );
  }
}
