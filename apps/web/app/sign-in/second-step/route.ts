import { showSecondStep, submitSecondStep } from "../../../server/pages/sign-in/second-step.ts";
import { route } from "../../../server/routing/route.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route("/sign-in/second-step", {
  GET: showSecondStep,
  POST: submitSecondStep,
});
