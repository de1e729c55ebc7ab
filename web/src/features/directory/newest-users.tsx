import type { DirectoryRow } from '@shortlist/contracts/api/directory';
import { fullName } from '@shortlist/contracts/messages';
import Pencil from 'lucide-react/icons/pencil';
import type { ReactNode } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { useNewest } from '../../lib/data/use-directory.ts';
import { tableDate } from '../../lib/dates.ts';
import { paths } from '../../lib/paths.ts';
import { May } from '../../lib/state/hooks.tsx';
import { shellText } from '../../messages/shell.ts';
import { directoryText } from '../../messages/directory.ts';
import { ButtonLink, IconButton } from '../../ui/button.tsx';
import { EmptyState, QueryView } from '../../ui/query-view.tsx';
import { RowsSkeleton, UserCells, UserPicture } from './user-rows.tsx';
import { ICON } from '../../ui/inline.tsx';

type RowProps = { row: DirectoryRow };

const EditButton = ({ row }: RowProps): ReactNode => {
  const navigate = useNavigate();
  return (
    <May permission="users.edit">
      <IconButton
        isSmall
        label={directoryText('editUser', { name: fullName(row) })}
        title={directoryText('edit')}
        icon={<Pencil {...ICON} />}
        onClick={() => void navigate(paths.editUser(row.id))}
      />
    </May>
  );
};

const Person = ({ row }: RowProps): ReactNode => (
  <li>
    <UserPicture row={row} />
    <div>
      <Link to={paths.editUser(row.id)}>{fullName(row)}</Link>
      <span title={directoryText('inOneLine', { organization: row.organizationName, country: row.country })}>
        {directoryText.rich('organizationInCountry', {
          name: (organization) => <bdi key="name">{organization}</bdi>,
          organization: row.organizationName,
          country: row.country,
        })}
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
    <div className="table-scroll" tabIndex={0} role="region" aria-label={shellText('newUsers')}>
      <table className="data-table is-stacked user-table is-newest">
        <thead>
          <tr>
            <th scope="col">{directoryText('fullName')}</th>
            <th scope="col">{directoryText('email')}</th>
            <th scope="col">{directoryText('organization')}</th>
            <th scope="col">{directoryText('country')}</th>
            <th scope="col">{directoryText('joinDate')}</th>
            <th scope="col" className="align-end">
              {directoryText('actions')}
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
      <span className="premium-legend">{directoryText('premium')}</span>
    </div>
  </>
);

type NewestUsersProps = { limit: number; isLong: boolean; isReady?: boolean };

const Rows = ({ rows, isLong }: { rows: DirectoryRow[]; isLong: boolean }): ReactNode => {
  if (rows.length === 0)
    return (
      <EmptyState
        action={
          <May permission="users.create">
            <ButtonLink to={paths.addUser}>{directoryText('createUser')}</ButtonLink>
          </May>
        }
      >
        {directoryText('noUser')}
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

/** The latest users, newest first, as a table or as a short list. It keeps its skeleton until `isReady`. */
export const NewestUsers = ({ limit, isLong, isReady = true }: NewestUsersProps): ReactNode => {
  const query = useNewest(limit);
  const skeleton = <RowsSkeleton label={directoryText('loadingNew')} count={limit} isLong={isLong} />;
  if (!isReady) return skeleton;
  return (
    <QueryView query={query} skeleton={skeleton} errorTitle={directoryText('newFailed')}>
      {(rows) => <Rows rows={rows} isLong={isLong} />}
    </QueryView>
  );
};
