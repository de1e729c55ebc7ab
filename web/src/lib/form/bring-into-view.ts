const isCalm = (): boolean => window.matchMedia('(prefers-reduced-motion: reduce)').matches;

/** Scrolls an element into view, smoothly unless the user prefers reduced motion. */
export const bringIntoView = (element: Element, block: ScrollLogicalPosition): void =>
  element.scrollIntoView({ block, behavior: isCalm() ? 'auto' : 'smooth' });
