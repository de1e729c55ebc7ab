import type { DirectoryPage } from '@shortlist/contracts/api/public';
import { count } from '../../lib/money.ts';

/** How many there are; with a plus where the counting stopped. */
export const totalLabel = ({ total, isCapped }: Pick<DirectoryPage, 'total' | 'isCapped'>): string =>
  isCapped ? `${count(total)}+` : count(total);
