import { mutate } from 'swr';

/** The areas of server data. The first element of an SWR key is its area. */
export const AREAS = [
  'credits',
  'subscription',
  'profile',
  'privacy',
  'directory',
  'earnings',
  'config',
] as const;

/** Profile and credits contain the plan, so a change of the subscription makes them stale, too. */
const withDependents = (areas: readonly string[]): Set<string> => {
  const all = new Set(areas);
  if (all.has('subscription')) all.add('profile').add('credits');
  return all;
};

/** Loads the data of these areas again as far as it is on the screen. */
export const revalidate = async (areas: readonly string[]): Promise<void> => {
  const stale = withDependents(areas);
  await mutate((key) => Array.isArray(key) && stale.has(String(key[0])));
};
