/**
 * The parts of an element that functions of `evaluate` use in the page. With all of the DOM's types, a test that runs
 * in Node could use `document` by mistake.
 */
interface PageElement {
  getAttribute(name: string): string | null;
  getBoundingClientRect(): { readonly left: number };
}
interface HTMLElement extends PageElement {}
interface SVGElement extends PageElement {}
