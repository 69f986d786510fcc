export { appRouter } from "@gatehouse/console/root";
