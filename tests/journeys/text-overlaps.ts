import type { Page } from '@playwright/test';
import type { Box, PageElement, PageGlobals } from './page-globals.ts';

/** Runs in the page, so it uses nothing from outside the function. */
const findOverlaps = (): string[] => {
  const { document, getComputedStyle } = globalThis as unknown as PageGlobals;
  const TEXT_NODE = 3;
  const cut = (box: Box, by: Box): Box => ({
    left: Math.max(box.left, by.left),
    top: Math.max(box.top, by.top),
    right: Math.min(box.right, by.right),
    bottom: Math.min(box.bottom, by.bottom),
  });
  // One pixel is the rounding of adjacent boxes.
  const isEmpty = ({ left, top, right, bottom }: Box): boolean => right - left <= 1 || bottom - top <= 1;
  const visiblePart = (element: PageElement, box: Box): Box => {
    let visible = box;
    for (let parent: PageElement | null = element; parent !== null; parent = parent.parentElement)
      if (getComputedStyle(parent).overflow !== 'visible')
        visible = cut(visible, parent.getBoundingClientRect());
    return visible;
  };
  type Text = { text: string; element: PageElement; box: Box };
  const textsOf = (element: PageElement): Text[] =>
    [...element.childNodes].flatMap((node) => {
      const text = node.textContent?.trim() ?? '';
      if (node.nodeType !== TEXT_NODE || text === '') return [];
      const range = document.createRange();
      range.selectNodeContents(node);
      const boxes = [...range.getClientRects()].map((rect) => visiblePart(element, rect));
      return boxes.filter((box) => !isEmpty(box)).map((box) => ({ text, element, box }));
    });
  const texts = [...document.querySelectorAll('main *')]
    .filter((element) => element.checkVisibility({ visibilityProperty: true }))
    .flatMap(textsOf);
  return texts.flatMap((one, index) =>
    texts
      .slice(index + 1)
      .filter((other) => other.element !== one.element && !isEmpty(cut(one.box, other.box)))
      .map((other) => `${one.text} / ${other.text}`),
  );
};

/** The pairs of texts in `main` of which the visible parts intersect. */
export const overlappingTexts = (page: Page): Promise<string[]> => page.evaluate(findOverlaps);
