// The parts of the DOM that functions use which run in the page. The DOM's own types would apply to the services as well.
export type Box = { left: number; top: number; right: number; bottom: number };

type PageNode = { textContent: string | null; nodeType: number };

export type PageElement = PageNode & {
  tagName: string;
  parentElement: PageElement | null;
  childNodes: Iterable<PageNode>;
  scrollWidth: number;
  clientWidth: number;
  contains: (node: PageNode) => boolean;
  checkVisibility: (options?: { visibilityProperty: boolean }) => boolean;
  getBoundingClientRect: () => Box;
  getClientRects: () => Iterable<Box>;
};

export type PageGlobals = {
  document: {
    querySelectorAll: (selector: string) => Iterable<PageElement>;
    elementFromPoint: (x: number, y: number) => PageElement | null;
    createRange: () => { selectNodeContents: (node: PageNode) => void; getClientRects: () => Iterable<Box> };
  };
  getComputedStyle: (element: PageElement) => { overflow: string };
};
