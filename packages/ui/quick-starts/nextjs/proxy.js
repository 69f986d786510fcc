import { proxy } from "./auth";

// Every other page needs a signed-in user. It checks again, with: const { user } = await auth.protect();
export default proxy({ public: ["/"] });

export const config = { matcher: ["/((?!_next/static|_next/image|favicon.ico).*)"] };
