export { SearchPage as default } from "@/features/search/search-page.tsx";
