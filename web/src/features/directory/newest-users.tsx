import Pencil from 'lucide-react/icons/pencil';
import type { DirectoryRow } from '@shortlist/contracts/api/public';
import type { ReactNode } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { useNewest } from '../../lib/data/use-directory.ts';
import { tableDate } from '../../lib/dates.ts';
import { paths } from '../../lib/paths.ts';
import { ButtonLink, IconButton } from '../../ui/button.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { nameOf, UserCells, UserPicture } from './user-cells.tsx';
import { RowsSkeleton } from './rows-skeleton.tsx';

type RowProps = { row: DirectoryRow };

const EditButton = ({ row }: RowProps): ReactNode => {
  const navigate = useNavigate();
  return (
    <IconButton
      isSmall
      label={`Edit ${nameOf(row)}`}
      title="Edit"
      icon={<Pencil size={18} strokeWidth={1.75} aria-hidden="true" />}
      onClick={() => void navigate(paths.editUser(row.id))}
    />
  );
};

const Person = ({ row }: RowProps): ReactNode => (
  <li>
    <UserPicture row={row} />
    <div>
      <Link to={paths.editUser(row.id)}>{nameOf(row)}</Link>
      <span>
        <bdi>{row.organizationName}</bdi>, {row.country}
      </span>
      <span className="num">{tableDate(row.createdAt)}</span>
    </div>
    <EditButton row={row} />
  </li>
);

const Row = ({ row }: RowProps): ReactNode => (
  <tr className={row.plan === 'free' ? undefined : 'is-premium'}>
    <UserCells row={row} />
    <td>
      <div className="row-actions">
        <EditButton row={row} />
      </div>
    </td>
  </tr>
);

const Table = ({ rows }: { rows: DirectoryRow[] }): ReactNode => (
  <>
    <div className="scroll" tabIndex={0} role="region" aria-label="The latest to register">
      <table className="list is-stacked users is-newest">
        <thead>
          <tr>
            <th scope="col">Full Name</th>
            <th scope="col">Email</th>
            <th scope="col">Organization</th>
            <th scope="col">Country</th>
            <th scope="col">Join Date</th>
            <th scope="col" className="end">
              Actions
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row key={row.id} row={row} />
          ))}
        </tbody>
      </table>
    </div>
    <div className="pager">
      <span className="premium-legend">Premium</span>
    </div>
  </>
);

type NewestUsersProps = { limit: number; isLong: boolean };

const Rows = ({ rows, isLong }: { rows: DirectoryRow[]; isLong: boolean }): ReactNode => {
  if (rows.length === 0)
    return (
      <EmptyState action={<ButtonLink to={paths.addUser}>Create A New User</ButtonLink>}>
        Currently there is no user
      </EmptyState>
    );
  if (isLong) return <Table rows={rows} />;
  return (
    <ul className="people">
      {rows.map((row) => (
        <Person key={row.id} row={row} />
      ))}
    </ul>
  );
};

/** The latest users, newest first, as a table or as a short list. */
export const NewestUsers = ({ limit, isLong }: NewestUsersProps): ReactNode => (
  <QueryView
    query={useNewest(limit)}
    skeleton={<RowsSkeleton label="Loading the newest users" count={limit} isLong={isLong} />}
    errorTitle="The newest users could not be loaded"
  >
    {(rows) => <Rows rows={rows} isLong={isLong} />}
  </QueryView>
);
