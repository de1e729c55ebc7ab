/** Before a pressed thing goes away: hands the focus on, which would else fall to the start of the document. */
export const focusHeading = (): void =>
  document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true });
