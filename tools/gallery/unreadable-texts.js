// Evaluated in a page: returns the pairs of texts whose boxes intersect, and the texts that lie below another element or cross the
// edge around them. Texts of what floats over the page on purpose (menus, dialogs, toasts) are left out, and so is what is clipped away or hidden.
(() => {
  /** A glyph box is higher than the letters in it: lines of a tight paragraph touch without overlapping. */
  const SHRINK = { x: 1, y: 0.22 };
  const SMALLEST = 4;

  const ancestors = (element) => (element === null ? [] : [element, ...ancestors(element.parentElement)]);

  const isShown = (styles) =>
    styles.every(
      ({ visibility, opacity, position }, index) =>
        (index > 0 || visibility === 'visible') && opacity !== '0' && position !== 'fixed',
    );

  /** The part of a box that the ancestors with `overflow` other than visible let through. */
  const clipped = (box, parents) =>
    parents.reduce((rest, { element, style }) => {
      if (style.overflowX === 'visible' && style.overflowY === 'visible') return rest;
      const edge = element.getBoundingClientRect();
      return {
        left: Math.max(rest.left, edge.left),
        right: Math.min(rest.right, edge.right),
        top: Math.max(rest.top, edge.top),
        bottom: Math.min(rest.bottom, edge.bottom),
      };
    }, box);

  const boxesOf = (node) => {
    const parents = ancestors(node.parentElement).map((element) => ({
      element,
      style: getComputedStyle(element),
    }));
    if (!isShown(parents.map(({ style }) => style))) return [];
    const range = document.createRange();
    range.selectNodeContents(node);
    return [...range.getClientRects()].map(({ left, right, top, bottom }) => {
      const inset = (bottom - top) * SHRINK.y;
      const box = {
        left: left + SHRINK.x,
        right: right - SHRINK.x,
        top: top + inset,
        bottom: bottom - inset,
      };
      return { node, ...clipped(box, parents) };
    });
  };

  const texts = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) if (walker.currentNode.data.trim() !== '') texts.push(walker.currentNode);
  const boxes = texts
    .flatMap(boxesOf)
    .filter(({ left, right, top, bottom }) => right - left > SMALLEST && bottom - top > SMALLEST)
    .sort((one, other) => one.top - other.top);

  const label = ({ node }) => `"${node.data.trim().slice(0, 40)}"`;
  const problems = new Set();
  boxes.forEach((one, index) => {
    for (const other of boxes.slice(index + 1)) {
      if (other.top >= one.bottom) break;
      if (other.node !== one.node && other.left < one.right && one.left < other.right)
        problems.add(`${label(one)} overlaps ${label(other)}`);
    }
  });

  const isOpaque = (element) =>
    !/^rgba\(.*, 0(\.[0-4]\d*)?\)$/.test(getComputedStyle(element).backgroundColor);
  /** The elements drawn over a point of a text, such as a sticky column. Known within the window only. */
  const isCovered = ({ node }, x, y) => {
    const stack = document.elementsFromPoint(x, y);
    const below = stack.findIndex((element) => element.contains(node));
    return stack.slice(0, Math.max(0, below)).some(isOpaque);
  };
  for (const box of boxes) {
    const y = (box.top + box.bottom) / 2;
    const middle = (box.left + box.right) / 2;
    if ([box.left + 1, middle, box.right - 1].some((x) => isCovered(box, x, y)))
      problems.add(`${label(box)} is covered`);
  }
  /** What has a visible edge: a text that crosses it looks broken. */
  const FRAMES = 'button, .button, .panel, .alert, [role="dialog"], [role="menu"]';
  for (const box of boxes) {
    const edge = box.node.parentElement.closest(FRAMES)?.getBoundingClientRect();
    if (edge !== undefined && (box.left < edge.left || box.right > edge.right))
      problems.add(`${label(box)} crosses the edge around it`);
  }
  return [...problems];
})();
