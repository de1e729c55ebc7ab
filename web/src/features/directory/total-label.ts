import type { DirectoryPage } from '@shortlist/contracts/api/public';
import { count } from '../../lib/money.ts';

/** The total, with a plus when the server stopped counting. */
export const totalLabel = ({ total, isCapped }: Pick<DirectoryPage, 'total' | 'isCapped'>): string =>
  isCapped ? `${count(total)}+` : count(total);
