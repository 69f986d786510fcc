/** @jsxImportSource preact */
import { beginPasskeySignIn, routesByDomain } from "@gatehouse/accounts";
import { scopesOf } from "@gatehouse/auth";
import type { openBrandingPreview } from "@gatehouse/console/branding/preview";
import type { VNode } from "preact";
import { ConsentPage } from "../../../views/consent.tsx";
import { DeviceConfirmPage } from "../../../views/device.tsx";
import type { Frame } from "../../../views/frame.ts";
import { SignInPage } from "../../../views/sign-in/sign-in.tsx";
import { previewHeaders } from "../../routing/headers.ts";
import type { Visit } from "../../routing/visit.ts";
import { brandFor } from "../frame/brand.ts";
import { page } from "../responses/respond.ts";

type Shown = NonNullable<Awaited<ReturnType<typeof openBrandingPreview>>>;
/** A page as it is drawn for users, with an invented one. */
type Picture = (about: { frame: Frame; app: string; visit: Visit }) => VNode | Promise<VNode>;

const EMAIL = "ada@example.com";
const USER_CODE = "WDJB-MJHT";
const REQUESTED_SECONDS_AGO = 40;

const PICTURES: Readonly<Record<string, Picture>> = {
  "sign-in": signIn,
  consent: ({ frame, app, visit }) => {
    const client = sampleClient(app);
    const scopes = sampleScopes(visit).map((scope) => ({ ...scope, isNew: true }));
    const view = {
      client,
      scopes,
      request: "",
      redirectHost: "app.example.com",
      unverified: false,
      selfDescribed: undefined,
      testRun: false,
      onThisMachine: false,
    };
    return <ConsentPage frame={frame} view={view} csrf="" email={EMAIL} />;
  },
  device: ({ frame, app, visit }) => {
    const now = visit.app.deps.now();
    const times = { requestedAt: now - REQUESTED_SECONDS_AGO, expiresAt: now };
    const view = {
      client: sampleClient(app),
      scopes: sampleScopes(visit),
      userCode: USER_CODE,
      shown: "",
      requestedAddress: null,
      requestedUserAgent: null,
      testRun: false,
      ...times,
    };
    return <DeviceConfirmPage frame={frame} view={view} csrf="" email={EMAIL} now={now} />;
  },
};

/**
 * The page that the query names, in its theme; undefined for another page or theme. It can be framed by the console
 * alone, and does nothing.
 */
export async function brandPreview({ application, brand }: Shown, visit: Visit): Promise<Response | undefined> {
  const { searchParams } = visit.url;
  const theme = searchParams.get("theme");
  const name = searchParams.get("page") ?? "";
  const picture = Object.hasOwn(PICTURES, name) ? PICTURES[name] : undefined;
  if (!picture || (theme !== "light" && theme !== "dark")) return undefined;

  const { frame, app } = visit;
  const { displayName, ...ofInstallation } = brand;
  const { hasLogo, version } = app.settings.current.brand;
  const looks: Partial<Frame> =
    application === null
      ? { productName: displayName ?? frame.productName, brand: brandFor({ ...ofInstallation, hasLogo, version }) }
      : { brand: brandFor(brand, frame.brand) };
  const about = {
    frame: { ...frame, ...looks, consoleUrl: undefined, preview: { theme } as const },
    app: application ?? "Example app",
    visit,
  };
  const response = page(await picture(about), { headers: previewHeaders(app.env.adminUrl) });
  response.headers.delete("X-Frame-Options"); // it cannot name an origin; `frame-ancestors` does
  return response;
}

/** As users see it who come from no pending request, or (an application's) from one. */
async function signIn({ frame, app, visit }: Parameters<Picture>[0]) {
  const { deps } = visit.app;
  const providers = (await deps.people.listSignInProviders()).filter(({ enabled }) => enabled);
  return (
    <SignInPage
      frame={frame}
      app={app}
      providers={providers}
      emailFirst={routesByDomain(providers)}
      emailCode={deps.accounts.emailSignIn}
      signUp={deps.accounts.signUp === "open"}
      passkey={beginPasskeySignIn("", deps)}
      continuation={{ request: undefined, next: undefined }}
      csrf=""
    />
  );
}

const sampleClient = (applicationName: string) =>
  ({ clientId: "", applicationName, environment: "production", type: "web" }) as const;

function sampleScopes({ app: { deps } }: Visit) {
  const table = scopesOf(deps.config);
  return ["profile", "email"].map((name) => ({ name, description: table[name]?.description ?? name, resource: null }));
}
