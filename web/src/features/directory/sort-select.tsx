import { DIRECTORY_SORTS, type DirectorySort } from '@shortlist/contracts/api/public';
import { useId, type ReactNode } from 'react';
import { directoryText } from '../../messages/directory.ts';
import { LABELS } from './columns.ts';

const ORDERS: readonly DirectorySort[] = DIRECTORY_SORTS.flatMap<DirectorySort>((name) =>
  name === 'createdAt' ? [`-${name}`, name] : [name, `-${name}`],
);

const textOf = (sort: DirectorySort): string => {
  if (sort === 'createdAt') return directoryText('oldestFirst');
  if (sort === '-createdAt') return directoryText('newestFirst');
  const name = DIRECTORY_SORTS.find((column) => sort === column || sort === `-${column}`) ?? 'name';
  return directoryText(sort === name ? 'aToZ' : 'zToA', { column: directoryText(LABELS[name]) });
};

type SortSelectProps = { sort: DirectorySort; onSort: (sort: DirectorySort) => void };

/** The order of the list where not every column is there to be sorted by: on a phone, and where columns have given way. */
export const SortSelect = ({ sort, onSort }: SortSelectProps): ReactNode => {
  const id = useId();
  return (
    <div className="list-sort">
      <label htmlFor={id}>{directoryText('sortBy')}</label>
      <span className="select is-small is-auto">
        <select
          id={id}
          value={sort}
          onChange={({ target }) => onSort(ORDERS.find((order) => order === target.value) ?? sort)}
        >
          {ORDERS.map((order) => (
            <option key={order} value={order}>
              {textOf(order)}
            </option>
          ))}
        </select>
      </span>
    </div>
  );
};
