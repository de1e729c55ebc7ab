// Called in a page: returns the controls of a phone that are too small for a finger, and those whose centre another element covers, be
// it one that floats over the page on purpose. With a layer, only its controls count.
async (layer) => {
  const CONTROLS = 'a[href], button, input, select, textarea, summary, [role="tab"], [role="option"]';

  const ancestors = (element) => (element === null ? [] : [element, ...ancestors(element.parentElement)]);

  /** What reacts: the control, or its label where that is larger. */
  const targetOf = (control) =>
    (control.matches('[type=checkbox], [type=radio], [type=file]') && control.labels[0]) || control;

  /** The skip link, for example, appears when it has the focus. */
  const isVisuallyHidden = (element) =>
    ancestors(element).some((ancestor) => getComputedStyle(ancestor).clipPath !== 'none');

  const isShown = (element) =>
    element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
    !isVisuallyHidden(element);

  const targets = [
    ...new Set([...(layer ?? document).querySelectorAll(CONTROLS)].map(targetOf).filter(isShown)),
  ];

  const label = (element) => {
    const name = element.getAttribute('aria-label') || element.textContent.trim() || element.id;
    return `${element.localName} "${name.slice(0, 40)}"`;
  };

  const blockOf = (element) =>
    ancestors(element).find((ancestor) => getComputedStyle(ancestor).display !== 'inline');

  const isWord = (node) =>
    node.data.trim() !== '' && node.parentElement.closest(`${CONTROLS}, label`) === null;

  /** The lines of a sentence limit the height of a link in it, which WCAG 2.5.8 exempts. */
  const isInSentence = (target) => {
    if (!['inline', 'inline-block'].includes(getComputedStyle(target).display)) return false;
    const block = blockOf(target.parentElement);
    const walker = document.createTreeWalker(block, NodeFilter.SHOW_TEXT);
    while (walker.nextNode())
      if (isWord(walker.currentNode) && blockOf(walker.currentNode.parentElement) === block) return true;
    return false;
  };

  /** Below the 44 CSS px of WCAG 2.5.5. */
  const small = () =>
    targets
      .filter((target) => !isInSentence(target))
      .map((target) => ({ target, size: target.getBoundingClientRect() }))
      .filter(({ size }) => Math.min(Math.round(size.width), Math.round(size.height)) < 44)
      .map(
        ({ target, size }) => `${label(target)} is ${Math.round(size.width)} × ${Math.round(size.height)} px`,
      );

  /** Scrolls as little as possible. What depends on the scrolling, such as Back to top, appears with the next frame. */
  const bringIntoView = async (target) => {
    const before = scrollY;
    target.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' });
    if (scrollY !== before) await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  };

  const coverOf = async (target) => {
    await bringIntoView(target);
    const [{ left, right, top, bottom }] = target.getClientRects(); // of a link over two lines the first
    const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    return target.contains(hit) ? null : (hit ?? document.documentElement); // beyond the window: nothing is hit
  };

  /** Downwards each control comes to rest at the lower edge of the window, on the way back at the upper one. */
  const covered = async () => {
    const problems = [];
    for (const target of [...targets, ...targets.toReversed()]) {
      const cover = await coverOf(target);
      if (cover !== null) problems.push(`${label(target)} is covered by ${label(cover)}`);
    }
    (layer ?? window).scrollTo({ top: 0, behavior: 'instant' });
    return problems;
  };

  return [...new Set([...(matchMedia('(width < 480px)').matches ? small() : []), ...(await covered())])];
};
