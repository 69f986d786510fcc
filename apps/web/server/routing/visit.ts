import type { ActiveSession, Caller } from "@gatehouse/auth";
import type { Locale, Texts } from "@gatehouse/languages";
import type { Frame } from "../../views/frame.ts";
import type { Upload } from "../pages/forms/form.ts";
import { frameOf } from "../pages/frame/frame.ts";
import type { App } from "../start/app.ts";

/** One request, as a handler sees it. */
export type Visit<Session = ActiveSession | undefined> = {
  request: Request;
  /** Parsed on first use. */
  readonly url: URL;
  app: App;
  caller: Caller;
  session: Session;
  /** The fields of a page's form, after its CSRF token was verified; otherwise empty. */
  form: URLSearchParams;
  /** The files of an upload. */
  files: Upload["files"];
  params: Record<string, string | string[] | undefined>;
  /** What every page is rendered with. Worked out on first use. */
  readonly frame: Frame;
  readonly locale: Locale;
  readonly texts: Texts;
};

export const NOTHING_SENT: Upload = { form: new URLSearchParams(), files: new Map() };

type Known = Pick<Visit, "request" | "app" | "caller"> & Partial<Pick<Visit, "session" | "form" | "files" | "params">>;

/** A class, because every request makes one: accessors on a prototype cost nothing until they are read. */
export class RequestVisit implements Visit {
  readonly request: Request;
  readonly app: App;
  readonly caller: Caller;
  readonly session: ActiveSession | undefined;
  readonly form: URLSearchParams;
  readonly files: Upload["files"];
  readonly params: Visit["params"];
  #frame: Frame | undefined;

  constructor({
    request,
    app,
    caller,
    session,
    form = NOTHING_SENT.form,
    files = NOTHING_SENT.files,
    params = {},
  }: Known) {
    this.request = request;
    this.app = app;
    this.caller = caller;
    this.session = session;
    this.form = form;
    this.files = files;
    this.params = params;
  }

  get url(): URL {
    return new URL(this.request.url);
  }

  get frame(): Frame {
    this.#frame ??= frameOf(this);
    return this.#frame;
  }

  get locale(): Locale {
    return this.frame.locale;
  }

  get texts(): Texts {
    return this.frame.texts;
  }
}
