import type { DirectoryRow, UserActivity } from '@shortlist/contracts/api/directory';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import { type ReactNode, useState } from 'react';
import { useQuery } from '../../lib/data/use-query.ts';
import { tableDate } from '../../lib/dates.ts';
import { readItem, USER_COLUMNS, writeItem } from '../../lib/storage.ts';
import { directoryText } from '../../messages/directory.ts';

/** The columns beside those that the list always has. */
const EXTRA_COLUMNS = ['planState', 'creditsLeft', 'lastSeen'] as const;
export type ExtraColumn = (typeof EXTRA_COLUMNS)[number];

const stored = (): readonly ExtraColumn[] => {
  const names = (readItem(USER_COLUMNS) ?? '').split(',');
  return EXTRA_COLUMNS.filter((column) => names.includes(column));
};

/** The chosen columns, which this browser keeps. */
export const useColumns = () => {
  const [columns, setColumns] = useState(stored);
  const choose = (column: ExtraColumn, isChosen: boolean): void => {
    const next = EXTRA_COLUMNS.filter((one) => (one === column ? isChosen : columns.includes(one)));
    writeItem(USER_COLUMNS, next.join(','));
    setColumns(next);
  };
  return { columns, choose };
};

type ColumnChoiceProps = ReturnType<typeof useColumns>;

export const ColumnChoice = ({ columns, choose }: ColumnChoiceProps): ReactNode => (
  <fieldset className="column-choice">
    <legend className="label">{directoryText('columns')}</legend>
    {EXTRA_COLUMNS.map((column) => (
      <label key={column} className="check-line">
        <input
          type="checkbox"
          checked={columns.includes(column)}
          onChange={(event) => choose(column, event.target.checked)}
        />
        <span>{directoryText(column)}</span>
      </label>
    ))}
  </fieldset>
);

const isOfOthers = (column: ExtraColumn): boolean => column !== 'planState';

export type Activities = ReadonlyMap<string, UserActivity>;

/** What other services know of the users of a page, read only if a column shows it. */
export const useActivities = (rows: readonly DirectoryRow[], columns: readonly ExtraColumn[]): Activities => {
  const isNeeded = rows.length > 0 && columns.some(isOfOthers);
  const ids = rows.map(({ id }) => id).join(',');
  const { data = [] } = useQuery('directory', publicEndpoints.userActivity, isNeeded ? { ids } : null, {
    keepPreviousData: true,
  });
  return new Map(data.map((activity) => [activity.userId, activity]));
};

type CellProps = { row: DirectoryRow; activity: UserActivity | undefined };

/** A dash while it is not known. */
const CELLS: Record<ExtraColumn, (props: CellProps) => string> = {
  planState: ({ row }) => directoryText(row.paymentProblem ?? row.plan),
  creditsLeft: ({ activity }) => {
    const available = activity?.available ?? null;
    return available === null ? '–' : directoryText('credits', { count: available });
  },
  lastSeen: ({ activity }) => {
    const at = activity?.lastSeenAt ?? null;
    return at === null ? '–' : tableDate(at);
  },
};

type ExtraCellsProps = CellProps & { columns: readonly ExtraColumn[] };

export const ExtraCells = ({ columns, ...cell }: ExtraCellsProps): ReactNode =>
  columns.map((column) => (
    <td key={column} className="num nowrap is-extra" data-label={directoryText(column)}>
      {CELLS[column](cell)}
    </td>
  ));

export const ExtraHeads = ({ columns }: { columns: readonly ExtraColumn[] }): ReactNode =>
  columns.map((column) => (
    <th key={column} scope="col" className="is-extra">
      {directoryText(column)}
    </th>
  ));
