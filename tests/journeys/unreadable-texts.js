// Called in a page: returns the pairs of texts whose boxes intersect, the texts that lie below another element, cross the edge around
// them or are cut, the icons that have grown, the inputs of one row that are not on one line, and the dates that are wider than their
// input. What floats over the page on purpose (menus, dialogs, toasts) is left out, both its
// texts and what it covers for a moment, and so is what is clipped away or hidden. With a layer, only its texts count.
(layer) => {
  /** Up to the layer, where there is one: it floats, and what it covers does not count. */
  const ancestors = (element) =>
    element === null || element === layer?.parentElement
      ? []
      : [element, ...ancestors(element.parentElement)];
  const parentsOf = (element) =>
    ancestors(element).map((parent) => {
      const style = getComputedStyle(parent);
      return { element: parent, style, floats: parent !== layer && style.position === 'fixed' };
    });
  const label = ({ node }) => `"${node.data.trim().slice(0, 40)}"`;

  const isShown = (parents) =>
    parents.every(
      ({ floats, style: { visibility, opacity } }, index) =>
        (index > 0 || visibility === 'visible') && opacity !== '0' && !floats,
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

  /** A glyph box is higher than the letters in it: lines of a tight paragraph touch without overlapping. */
  const SHRINK = { x: 1, y: 0.22 };

  const linesOf = (node) => {
    const range = document.createRange();
    range.selectNodeContents(node);
    return [...range.getClientRects()];
  };

  const boxesOf = (node) => {
    const parents = parentsOf(node.parentElement);
    if (!isShown(parents)) return [];
    return linesOf(node).map(({ left, right, top, bottom }) => {
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

  const textNodes = () => {
    const nodes = [];
    const walker = document.createTreeWalker(layer ?? document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) if (walker.currentNode.data.trim() !== '') nodes.push(walker.currentNode);
    return nodes;
  };

  const boxes = textNodes()
    .flatMap(boxesOf)
    .filter(({ left, right, top, bottom }) => right - left > 4 && bottom - top > 4)
    .sort((one, other) => one.top - other.top);

  const overlaps = () => {
    const intersect = (one, other) =>
      other.node !== one.node &&
      other.top < one.bottom &&
      one.top < other.bottom &&
      other.left < one.right &&
      one.left < other.right;
    return boxes.flatMap((one, index) =>
      boxes
        .slice(index + 1)
        .filter((other) => intersect(one, other))
        .map((other) => `${label(one)} overlaps ${label(other)}`),
    );
  };

  /** Texts over which an element is drawn, such as a sticky column. Known within the window only. */
  const covered = () => {
    const isOpaque = (element) =>
      !/^rgba\(.*, 0(\.[0-4]\d*)?\)$/.test(getComputedStyle(element).backgroundColor);
    const isFloating = (element) => parentsOf(element).some(({ floats }) => floats);
    const isCoveredAt = ({ node }, x, y) => {
      const top = document.elementFromPoint(x, y); // the stack takes far longer, and few texts need it
      if (top === null || top.contains(node)) return false;
      const stack = document.elementsFromPoint(x, y);
      const below = stack.findIndex((element) => element.contains(node));
      return stack.slice(0, Math.max(0, below)).some((element) => isOpaque(element) && !isFloating(element));
    };
    const isCovered = (box) => {
      const y = (box.top + box.bottom) / 2;
      return [box.left + 1, (box.left + box.right) / 2, box.right - 1].some((x) => isCoveredAt(box, x, y));
    };
    return boxes.filter(isCovered).map((box) => `${label(box)} is covered`);
  };

  /** Texts that cross a visible edge, which looks broken. */
  const crossing = () => {
    const FRAMES = 'button, .button, .panel, .alert, [role="dialog"], [role="menu"]';
    const crossesEdge = ({ node, left, right }) => {
      const edge = node.parentElement.closest(FRAMES)?.getBoundingClientRect();
      return edge !== undefined && (left < edge.left || right > edge.right);
    };
    return boxes.filter(crossesEdge).map((box) => `${label(box)} crosses the edge around it`);
  };

  /** Texts of which a part is cut and cannot be read in another way: in a tooltip, or on the page of a link. */
  const cut = () => {
    const isReadable = ({ style, element }) =>
      style.textOverflow === 'ellipsis' && element.closest('[title], a[href]') !== null;
    const isVisuallyHidden = ({ style }) => style.clipPath !== 'none' || style.clip !== 'auto';
    const cuts = ({ style, element }, { left, right, top, bottom }) => {
      if (!['hidden', 'clip'].includes(style.overflowX)) return false;
      const edge = element.getBoundingClientRect();
      const inset = (bottom - top) * SHRINK.y;
      return (
        left + SHRINK.x < edge.left ||
        right - SHRINK.x > edge.right ||
        top + inset < edge.top ||
        bottom - inset > edge.bottom
      );
    };
    const isCut = (node) => {
      const parents = parentsOf(node.parentElement);
      if (!isShown(parents) || parents.some(isVisuallyHidden)) return false;
      const lines = linesOf(node);
      const cutting = parents.find((parent) => lines.some((line) => cuts(parent, line)));
      return cutting !== undefined && !isReadable(cutting);
    };
    const brush = document.createElement('canvas').getContext('2d');
    const isPlaceholderCut = (input) => {
      const { font, paddingLeft, paddingRight } = getComputedStyle(input);
      brush.font = font;
      const room = input.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
      return input.checkVisibility() && brush.measureText(input.placeholder).width > room;
    };
    const inputs = [...(layer ?? document).querySelectorAll('input[placeholder]')];
    return [
      ...textNodes()
        .filter(isCut)
        .map((node) => `${label({ node })} is cut`),
      ...inputs.filter(isPlaceholderCut).map(({ placeholder }) => `"${placeholder}" is cut`),
    ];
  };

  /** Icons that what is around them has stretched. */
  const grown = () =>
    [...(layer ?? document).querySelectorAll('svg[width][height]')].flatMap((icon) => {
      const { width, height } = icon.getBoundingClientRect();
      const isGrown = width > 1.5 * icon.getAttribute('width') || height > 1.5 * icon.getAttribute('height');
      const beside = icon.parentElement.textContent.trim().slice(0, 40);
      return isGrown ? [`the icon beside "${beside}" has grown to ${width} by ${height} px`] : [];
    });

  const labels = [...(layer ?? document).querySelectorAll('label.label')].filter((one) =>
    one.checkVisibility(),
  );

  /** Inputs of which one is higher than those beside it, as when its label needs fewer lines. */
  const unaligned = () => {
    const fields = labels.map((one) => ({ one, row: one.parentElement.parentElement }));
    const boxOf = ({ one }) => one.parentElement.getBoundingClientRect();
    const topOf = ({ one }) => one.control.getBoundingClientRect().top;
    const areBeside = (first, second) => {
      const [a, b] = [boxOf(first), boxOf(second)];
      const isBeside = a.right <= b.left || b.right <= a.left;
      return first.row === second.row && isBeside && a.top < b.bottom && b.top < a.bottom;
    };
    return fields.flatMap((first, index) =>
      fields
        .slice(index + 1)
        .filter((second) => areBeside(first, second) && Math.abs(topOf(first) - topOf(second)) > 1)
        .map(
          ({ one }) =>
            `the input of "${first.one.textContent}" is not in line with that of "${one.textContent}"`,
        ),
    );
  };

  /** The parts of a date are no texts of the page: the width that they would need is that of a copy with no limit. */
  const narrowDates = () =>
    labels.flatMap(({ control, textContent }) => {
      if (control?.type !== 'date') return [];
      const copy = control.cloneNode();
      copy.style.cssText = 'position: absolute; inline-size: max-content; visibility: hidden';
      control.after(copy);
      const isNarrow = copy.offsetWidth > control.offsetWidth;
      copy.remove();
      return isNarrow ? [`the date of "${textContent}" is wider than its input`] : [];
    });

  return [
    ...new Set([
      ...overlaps(),
      ...covered(),
      ...crossing(),
      ...cut(),
      ...grown(),
      ...unaligned(),
      ...narrowDates(),
    ]),
  ];
};
