import { mutate } from 'swr';

/** What the server says, by subject. Every SWR key begins with one of these. */
export const AREAS = ['credits', 'subscription', 'profile', 'directory', 'earnings', 'config'] as const;

/** Who is shown carries their plan, so a change of subscription makes both old. */
const withDependents = (areas: readonly string[]): Set<string> => {
  const all = new Set(areas);
  if (all.has('subscription')) all.add('profile').add('credits');
  return all;
};

/** Reads again whatever is on the screen from these areas. */
export const revalidate = async (areas: readonly string[]): Promise<void> => {
  const stale = withDependents(areas);
  await mutate((key) => Array.isArray(key) && stale.has(String(key[0])));
};
