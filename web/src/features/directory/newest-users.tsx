import Pencil from 'lucide-react/icons/pencil';
import type { DirectoryRow } from '@shortlist/contracts/api/public';
import type { ReactNode } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { useNewest } from '../../lib/data/use-directory.ts';
import { tableDate } from '../../lib/dates.ts';
import { paths } from '../../lib/paths.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { ButtonLink, IconButton } from '../../ui/button.tsx';
import { Reading } from '../../ui/reading.tsx';
import { Bar, Skeleton } from '../../ui/skeleton.tsx';
import { EmptyState } from '../../ui/states.tsx';

const Row = ({ row, isLong }: { row: DirectoryRow; isLong: boolean }): ReactNode => {
  const navigate = useNavigate();
  const name = `${row.firstName} ${row.lastName}`;
  return (
    <tr>
      <td className="fills">
        <span className="who">
          <Avatar name={name} src={row.picture === null ? null : paths.picture(row.picture)} size="small" />
          <span>
            <Link to={paths.editUser(row.id)}>{name}</Link>
            <span className="muted small">{row.organizationName}</span>
          </span>
        </span>
      </td>
      {isLong && (
        <>
          <td className="clip clip-l" title={row.email}>
            {row.email}
          </td>
          <td className="nowrap">{row.country}</td>
          <td className="num nowrap" data-label="Joined">
            {tableDate(row.createdAt)}
          </td>
        </>
      )}
      <td className="end">
        <IconButton
          isSmall
          label={`Edit ${name}`}
          title="Edit"
          icon={<Pencil size={16} strokeWidth={1.75} aria-hidden="true" />}
          onClick={() => void navigate(paths.editUser(row.id))}
        />
      </td>
    </tr>
  );
};

const LongHead = (): ReactNode => (
  <thead>
    <tr>
      <th scope="col">Full Name</th>
      <th scope="col">Email</th>
      <th scope="col">Country</th>
      <th scope="col">Join Date</th>
      <th scope="col" className="end">
        Actions
      </th>
    </tr>
  </thead>
);

const Waiting = ({ limit }: { limit: number }): ReactNode => (
  <Skeleton label="Loading the newest users">
    <div className="stack inset">
      {Array.from({ length: Math.min(limit, 8) }, (_, line) => (
        <Bar key={line} height="2.5rem" />
      ))}
    </div>
  </Skeleton>
);

type NewestUsersProps = { limit: number; isLong: boolean };

const Rows = ({ rows, isLong }: { rows: DirectoryRow[]; isLong: boolean }): ReactNode => {
  if (rows.length === 0)
    return (
      <EmptyState action={<ButtonLink to={paths.addUser}>Create A New User</ButtonLink>}>
        Currently there is no user
      </EmptyState>
    );
  return (
    <div className="scroll">
      <table className={isLong ? 'list is-blocks' : 'list'}>
        {isLong && <LongHead />}
        <tbody>
          {rows.map((row) => (
            <Row key={row.id} row={row} isLong={isLong} />
          ))}
        </tbody>
      </table>
    </div>
  );
};

/** Who registered last, newest first. The long form has a column for each detail. */
export const NewestUsers = ({ limit, isLong }: NewestUsersProps): ReactNode => (
  <Reading
    of={useNewest(limit)}
    waiting={<Waiting limit={limit} />}
    failed="The newest users could not be loaded"
  >
    {(rows) => <Rows rows={rows} isLong={isLong} />}
  </Reading>
);
