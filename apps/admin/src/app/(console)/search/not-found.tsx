export { SearchPage as default } from "@/features/lookup/search-page.tsx";
