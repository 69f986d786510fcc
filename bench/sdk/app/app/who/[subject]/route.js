import { SUBJECTS, TOOK } from "../../../subjects/index.js";

/** Who is signed in, as a handler of a product asks. */
export async function GET(_request, { params }) {
  const { whoIsIt } = SUBJECTS[(await params).subject];
  const began = performance.now();
  const email = await whoIsIt();
  return new Response(email ?? "nobody", { headers: { [TOOK]: String(performance.now() - began) } });
}
