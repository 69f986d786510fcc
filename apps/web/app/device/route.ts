import { showDevice, submitDevice } from "../../server/pages/device/device.ts";
import { route } from "../../server/routing/route.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route("/device", {
  GET: showDevice,
  POST: submitDevice,
});
