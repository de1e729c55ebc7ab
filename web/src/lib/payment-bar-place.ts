import { readItem, removeItem, writeItem } from './storage.ts';

const PLACE = 'paymentBarPlace';

/**
 * Remembers how high the bar about a payment in trouble is in a window of this width. The next page keeps its place until billing has
 * responded and the code of the bar has loaded, so that the bar moves nothing.
 */
export const rememberPlace = (height: number): void => writeItem(PLACE, `${window.innerWidth} ${height}`);

export const forgetPlace = (): void => removeItem(PLACE);

/** The height of the place in px; null where no bar is expected, and in a window of another width. */
export const rememberedPlace = (): number | null => {
  const [width, height] = (readItem(PLACE) ?? '').split(' ').map(Number);
  return width === window.innerWidth && height ? height : null;
};
