/**
 * Focuses the page's heading. Called before the focused control disappears, which would move the focus to the start of the
 * document.
 */
export const focusHeading = (): void =>
  document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true });
