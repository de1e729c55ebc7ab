const isCalm = (): boolean => window.matchMedia('(prefers-reduced-motion: reduce)').matches;

/** Scrolls to what is not in view; gliding only for those who do not mind motion. */
export const bringIntoView = (element: Element, block: ScrollLogicalPosition): void =>
  element.scrollIntoView({ block, behavior: isCalm() ? 'auto' : 'smooth' });
