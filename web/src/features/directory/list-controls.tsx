import { publicEndpoints } from '@shortlist/contracts/api/public';
import { DIRECTORY_SORTS, type DirectoryQuery, type DirectorySort } from '@shortlist/contracts/api/directory';
import { DIRECTORY_SEARCH_MAX, EMAIL_UNDO_DAYS } from '@shortlist/contracts/limits';
import { COUNTRIES } from '@shortlist/contracts/option-lists';
import { type ReactNode, useId } from 'react';
import { currentTimeZone } from '../../lib/dates.ts';
import type { ChangeFilters } from '../../lib/url-filters.ts';
import { directoryText } from '../../messages/directory.ts';
import { FILTERS } from './list-state.ts';
import { DateFilter, ExportButton, FilterBar, FilterSelect, SearchFilter } from '../../ui/list-frame.tsx';

/** The columns by which the list is sorted, in their order, with the keys of their labels. */
export const LABELS = {
  name: 'fullName',
  email: 'email',
  organizationName: 'organization',
  country: 'country',
  createdAt: 'joinDate',
} as const satisfies Record<(typeof DIRECTORY_SORTS)[number], string>;

type FiltersProps = { params: URLSearchParams; onChange: ChangeFilters };
type AroundFilters = { columns?: ReactNode; end: ReactNode };

/** The filters above the list. `columns`: the choice of columns. `end` holds the actions on all matching users. */
export const Filters = ({ params, onChange, columns, end }: FiltersProps & AroundFilters): ReactNode => (
  <FilterBar
    params={params}
    names={FILTERS.filter((name) => name !== 'search')}
    search={
      <SearchFilter
        name="search"
        label={directoryText('search')}
        hint={directoryText('searchHint')}
        help={directoryText('searchHelp', { days: EMAIL_UNDO_DAYS })}
        maxLength={DIRECTORY_SEARCH_MAX}
        params={params}
        onChange={onChange}
      />
    }
    end={end}
  >
    <FilterSelect name="plan" label={directoryText('plan')} params={params} onChange={onChange}>
      <option value="">{directoryText('allPlans')}</option>
      <option value="premium">{directoryText('premium')}</option>
      <option value="free">{directoryText('free')}</option>
    </FilterSelect>
    <FilterSelect name="payment" label={directoryText('payment')} params={params} onChange={onChange}>
      <option value="">{directoryText('allPayments')}</option>
      <option value="problem">{directoryText('paymentProblem')}</option>
    </FilterSelect>
    <FilterSelect name="country" label={directoryText('country')} params={params} onChange={onChange}>
      <option value="">{directoryText('allCountries')}</option>
      {COUNTRIES.map((country) => (
        <option key={country}>{country}</option>
      ))}
    </FilterSelect>
    <DateFilter name="joinedFrom" label={directoryText('joinedFrom')} params={params} onChange={onChange} />
    <DateFilter name="joinedTo" label={directoryText('joinedTo')} params={params} onChange={onChange} />
    {columns}
  </FilterBar>
);

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
    <div className="user-table-sort">
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

/** The export's path: all users that match the filters, not only the current page. */
const exportPath = ({ cursor: _cursor, limit: _limit, ...filters }: DirectoryQuery): string => {
  const timeZone = currentTimeZone();
  return `${publicEndpoints.exportUsers.path}?${new URLSearchParams({ ...filters, timeZone }).toString()}`;
};

/** The same file, of the selected users alone. */
export const ExportSelected = ({ ids }: { ids: readonly string[] }): ReactNode => {
  const timeZone = encodeURIComponent(currentTimeZone());
  const path = `${publicEndpoints.exportUsers.path}?ids=${ids.join(',')}&timeZone=${timeZone}`;
  return <ExportButton path={path} fileName="selected-users" />;
};

export const ExportUsers = ({ query }: { query: DirectoryQuery }): ReactNode => (
  <ExportButton path={exportPath(query)} fileName="users" />
);
