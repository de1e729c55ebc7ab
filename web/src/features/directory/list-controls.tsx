import { publicEndpoints } from '@shortlist/contracts/api/public';
import { DIRECTORY_SORTS, type DirectoryQuery, type DirectorySort } from '@shortlist/contracts/api/directory';
import { DIRECTORY_SEARCH_MAX } from '@shortlist/contracts/limits';
import { COUNTRIES } from '@shortlist/contracts/option-lists';
import Download from 'lucide-react/icons/download';
import Search from 'lucide-react/icons/search';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { download } from '../../lib/api/download.ts';
import { now } from '../../lib/clock.ts';
import { tableDate } from '../../lib/dates.ts';
import { useAdminToken, useAppDispatch } from '../../lib/state/hooks.tsx';
import { toasts } from '../../lib/state/toasts.ts';
import { useCommand } from '../../lib/state/use-command.ts';
import { type ChangeFilters, currentParam } from '../../lib/url-filters.ts';
import { directoryText } from '../../messages/directory.ts';
import { Button } from '../../ui/button.tsx';
import { DateFilter, FilterSelect } from '../../ui/filters.tsx';
import { ICON } from '../../ui/inline.tsx';

/** The columns by which the list is sorted, in their order, with the keys of their labels. */
export const LABELS = {
  name: 'fullName',
  email: 'email',
  organizationName: 'organization',
  country: 'country',
  createdAt: 'joinDate',
} as const satisfies Record<(typeof DIRECTORY_SORTS)[number], string>;

const DEBOUNCE_MS = 300;

type SearchFieldProps = { params: URLSearchParams; onChange: ChangeFilters };

/**
 * The text belongs to the person who types. When typing pauses it goes into the URL; from there only changes by other means, such
 * as Back, return to the field, and not while typing. Rendering may lag behind the URL, so `params` only signals a change.
 */
const useSearchText = ({ params, onChange }: SearchFieldProps) => {
  const [text, setText] = useState(params.get('search') ?? '');
  const appliedValue = useRef(text);
  const timer = useRef<number | null>(null);
  useEffect(() => {
    const urlValue = currentParam('search');
    if (timer.current !== null || urlValue === appliedValue.current) return;
    appliedValue.current = urlValue;
    setText(urlValue);
  }, [params]);
  useEffect(() => () => window.clearTimeout(timer.current ?? 0), []);
  const type = (typed: string): void => {
    setText(typed);
    window.clearTimeout(timer.current ?? 0);
    const { pathname } = window.location;
    timer.current = window.setTimeout(() => {
      timer.current = null;
      // The admin has opened a user, and this list only remains until that page has loaded.
      if (window.location.pathname !== pathname) return;
      const search = typed.trim();
      appliedValue.current = search;
      if (search !== currentParam('search')) onChange({ search }, { replace: true });
    }, DEBOUNCE_MS);
  };
  return { text, type };
};

const SearchField = (props: SearchFieldProps): ReactNode => {
  const id = useId();
  const { text, type } = useSearchText(props);
  return (
    <div className="filter is-search">
      <label className="label" htmlFor={id}>
        {directoryText('search')}
      </label>
      <div className="filter-search">
        <Search {...ICON} />
        <input
          id={id}
          className="input"
          type="search"
          placeholder={directoryText('searchHint')}
          maxLength={DIRECTORY_SEARCH_MAX}
          value={text}
          onChange={(event) => type(event.target.value)}
        />
      </div>
    </div>
  );
};

type FiltersProps = { params: URLSearchParams; onChange: ChangeFilters };

/** The filters above the list. `end` holds the actions on all matching users. */
export const Filters = ({ params, onChange, end }: FiltersProps & { end: ReactNode }): ReactNode => (
  <div className="filters" role="search">
    <SearchField params={params} onChange={onChange} />
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
    {end}
  </div>
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

/** The export's URL: all users that match the filters, not only the current page. */
const exportUrl = ({ cursor: _cursor, limit: _limit, ...filters }: DirectoryQuery): string => {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return `${publicEndpoints.exportUsers.path}?${new URLSearchParams({ ...filters, timeZone }).toString()}`;
};

export const ExportButton = ({ query }: { query: DirectoryQuery }): ReactNode => {
  const token = useAdminToken();
  const dispatch = useAppDispatch();
  const { isBusy, failure, run } = useCommand(async (exportQuery: DirectoryQuery): Promise<void> => {
    if (token !== null)
      await download(exportUrl(exportQuery), `users-${tableDate(new Date(now()))}.csv`, token);
  });
  useEffect(() => {
    if (failure !== null) dispatch(toasts.added(directoryText('exportFailed', { problem: failure.message })));
  }, [failure, dispatch]);
  return (
    <Button isBusy={isBusy} onClick={() => void run(query)}>
      <Download {...ICON} />
      {directoryText('export')}
    </Button>
  );
};
