import { readableEmail } from '@shortlist/contracts/unicode';
import type { DirectoryRow, DirectorySort } from '@shortlist/contracts/api/directory';
import { fullName } from '@shortlist/contracts/messages';
import type { ReactNode } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { tableDate } from '../../lib/dates.ts';
import { paths } from '../../lib/paths.ts';
import { useCan } from '../../lib/state/hooks.tsx';
import { useRowClick } from '../../lib/use-row-click.ts';
import { directoryText } from '../../messages/directory.ts';
import { Avatar, Badge, Email, ICON } from '../../ui/inline.tsx';
import { IconButton } from '../../ui/button.tsx';
import { Bar, Skeleton } from '../../ui/states.tsx';
import { LABELS, SortSelect } from './list-controls.tsx';
import { type Activities, ExtraCells, type ExtraColumn, ExtraHeads } from './user-columns.tsx';
import ArrowDown from 'lucide-react/icons/arrow-down';
import ArrowUp from 'lucide-react/icons/arrow-up';
import Eye from 'lucide-react/icons/eye';
import Pencil from 'lucide-react/icons/pencil';
import Repeat from 'lucide-react/icons/repeat';
import Trash2 from 'lucide-react/icons/trash-2';

const COLUMNS = Object.keys(LABELS) as (keyof typeof LABELS)[];

type UserProps = { row: DirectoryRow };

export const UserPicture = ({ row }: UserProps): ReactNode => (
  <Avatar name={fullName(row)} src={row.picture === null ? null : paths.picture(row.picture)} />
);

/** One word on the user's plan: a payment in trouble comes first, with the plan for screen readers alone. */
const PlanBadge = ({ row: { plan, paymentProblem } }: UserProps): ReactNode => {
  const premium = plan !== 'free' && directoryText('premium');
  if (paymentProblem === null) return premium && <Badge tone="premium">{premium}</Badge>;
  return (
    <>
      {premium && <span className="visually-hidden">{premium}</span>}
      <Badge tone="warn">{directoryText(paymentProblem)}</Badge>
    </>
  );
};

/** The cells that every table of users shares. `select`: what selects the user. */
export const UserCells = ({ row, select }: UserProps & { select?: ReactNode }): ReactNode => (
  <>
    <td>
      <span className="user-name">
        {select}
        <UserPicture row={row} />
        <span className="user-plan">
          <Link to={paths.editUser(row.id)} title={fullName(row)}>
            {fullName(row)}
          </Link>{' '}
          <PlanBadge row={row} />
        </span>
      </span>
    </td>
    <td className="data-table-clip" title={readableEmail(row.email)}>
      <Email>{row.email}</Email>
    </td>
    <td className="data-table-clip" title={row.organizationName}>
      {row.organizationName}
    </td>
    <td className="data-table-clip" title={row.country}>
      {row.country}
    </td>
    <td className="num nowrap" data-label={directoryText('joined')}>
      {tableDate(row.createdAt)}
    </td>
  </>
);

/** Widths that vary as names do. */
const NAMES = ['7rem', '8.5rem', '6rem', '9rem'] as const;

type RowsSkeletonProps = { label: string; count: number; isLong?: boolean };

/** Stands in for rows of users, in their real height. */
export const RowsSkeleton = ({ label, count, isLong = true }: RowsSkeletonProps): ReactNode => (
  <Skeleton label={label}>
    <ul className={isLong ? 'skeleton-rows' : 'skeleton-rows is-tall'}>
      {Array.from({ length: count }, (_, index) => (
        <li key={index}>
          <span className="avatar" />
          <Bar width={NAMES[index % NAMES.length] ?? '8rem'} height="0.75rem" />
          {isLong && (
            <>
              <Bar width="11rem" height="0.75rem" />
              <Bar width="7rem" height="0.75rem" />
              <Bar width="5rem" height="0.75rem" />
            </>
          )}
        </li>
      ))}
    </ul>
  </Skeleton>
);

type SelectBoxProps = { label: string; isSelected: boolean; onChange: (isSelected: boolean) => void };

const SelectBox = ({ label, isSelected, onChange }: SelectBoxProps): ReactNode => (
  <label className="row-select">
    <input
      type="checkbox"
      aria-label={label}
      checked={isSelected}
      onChange={(event) => onChange(event.target.checked)}
    />
  </label>
);

type SortableHeadProps = {
  name: (typeof COLUMNS)[number];
  label: string;
  sort: DirectorySort;
  onSort: (sort: DirectorySort) => void;
};

const SortableHead = ({ name, label, sort, onSort }: SortableHeadProps): ReactNode => {
  const isUp = sort === name;
  const isDown = sort === `-${name}`;
  return (
    <th scope="col" aria-sort={isUp ? 'ascending' : isDown ? 'descending' : 'none'}>
      <button type="button" className="sort-button" onClick={() => onSort(isUp ? `-${name}` : name)}>
        {label}
        {isUp ? <ArrowUp size={14} aria-hidden="true" /> : <ArrowDown size={14} aria-hidden="true" />}
      </button>
    </th>
  );
};

const Actions = ({
  row,
  onDelete,
}: {
  row: DirectoryRow;
  onDelete: (row: DirectoryRow) => void;
}): ReactNode => {
  const navigate = useNavigate();
  const can = useCan();
  const name = fullName(row);
  // The action that cannot be undone comes last.
  const actions = [
    { title: 'view', label: 'viewUser', Icon: Eye, onSelect: () => void navigate(paths.viewUser(row.id)) },
    {
      title: 'edit',
      label: 'editUser',
      Icon: Pencil,
      permission: 'users.edit',
      onSelect: () => void navigate(paths.editUser(row.id)),
    },
    {
      title: 'managePlan',
      label: 'managePlanOf',
      Icon: Repeat,
      onSelect: () => void navigate(paths.manageSubscriptionOf(row.id)),
    },
    {
      title: 'delete',
      label: 'deleteUser',
      Icon: Trash2,
      permission: 'users.delete',
      onSelect: () => onDelete(row),
    },
  ] as const;
  const visible = actions.filter((action) => !('permission' in action) || can(action.permission));
  return (
    <div className="row-actions">
      {visible.map(({ title, label, Icon, onSelect }) => (
        <IconButton
          key={title}
          isSmall
          label={directoryText(label, { name })}
          title={directoryText(title)}
          icon={<Icon {...ICON} />}
          onClick={onSelect}
        />
      ))}
    </div>
  );
};

/** The selected rows of the page, for admins who may do something with them. */
export type RowSelection = {
  ids: readonly string[];
  select: (ids: readonly string[], isSelected: boolean) => void;
};

/** The columns that the admin has added, and what they show. */
export type Extras = { columns: readonly ExtraColumn[]; activities: Activities };

type RowProps = {
  row: DirectoryRow;
  extras: Extras;
  selection: RowSelection | null;
  onDelete: (row: DirectoryRow) => void;
};

const Row = ({ row, extras, selection, onDelete }: RowProps): ReactNode => {
  const handleClick = useRowClick(paths.editUser(row.id));
  return (
    <tr className={row.plan === 'free' ? 'is-open' : 'is-open is-premium'} onClick={handleClick}>
      <UserCells
        row={row}
        select={
          selection !== null && (
            <SelectBox
              label={directoryText('selectUser', { name: fullName(row) })}
              isSelected={selection.ids.includes(row.id)}
              onChange={(isSelected) => selection.select([row.id], isSelected)}
            />
          )
        }
      />
      <ExtraCells columns={extras.columns} row={row} activity={extras.activities.get(row.id)} />
      <td>
        <Actions row={row} onDelete={onDelete} />
      </td>
    </tr>
  );
};

type UserRowsProps = {
  rows: DirectoryRow[];
  sort: DirectorySort;
  isStale: boolean;
  extras: Extras;
  selection: RowSelection | null;
  onSort: (sort: DirectorySort) => void;
  onDelete: (row: DirectoryRow) => void;
};

export const UserRows = (props: UserRowsProps): ReactNode => {
  const { rows, sort, isStale, extras, selection, onSort, onDelete } = props;
  return (
    <div className="table-scroll" tabIndex={0} role="region" aria-label={directoryText('users')}>
      <SortSelect sort={sort} onSort={onSort} />
      <table className={`data-table is-stacked user-table ${isStale ? 'is-stale' : ''}`} aria-busy={isStale}>
        <thead>
          <tr>
            {COLUMNS.map((name) => (
              <SortableHead
                key={name}
                name={name}
                label={directoryText(LABELS[name])}
                sort={sort}
                onSort={onSort}
              />
            ))}
            <ExtraHeads columns={extras.columns} />
            <th scope="col" className="align-end">
              {directoryText('actions')}
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row key={row.id} row={row} extras={extras} selection={selection} onDelete={onDelete} />
          ))}
        </tbody>
      </table>
    </div>
  );
};
