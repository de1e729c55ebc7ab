import type { Area } from '@shortlist/contracts/api/public';
import { mutate } from 'swr';

/** Profile and credits contain the plan, so a change of the subscription makes them stale, too. */
const withDependents = (areas: readonly Area[]): Set<string> => {
  const all = new Set<string>(areas);
  if (all.has('subscription')) all.add('profile').add('credits');
  return all;
};

/** Loads the data of these areas again as far as it is on the screen. The first element of an SWR key is its area. */
export const revalidate = async (areas: readonly Area[]): Promise<void> => {
  const stale = withDependents(areas);
  await mutate((key) => Array.isArray(key) && stale.has(String(key[0])));
};
