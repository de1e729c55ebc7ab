/** Focuses the page's heading. Called before the focused control disappears, which would move the focus to the document's start. */
export const focusHeading = (): void =>
  document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true });
