import type { DirectoryRow } from '@shortlist/contracts/api/public';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { tableDate } from '../../lib/dates.ts';
import { paths } from '../../lib/paths.ts';
import { directoryText } from '../../messages/directory.ts';
import { Avatar } from '../../ui/avatar.tsx';

type UserProps = { row: DirectoryRow };

export const nameOf = ({ firstName, lastName }: DirectoryRow): string => `${firstName} ${lastName}`;

export const UserPicture = ({ row }: UserProps): ReactNode => (
  <Avatar name={nameOf(row)} src={row.picture === null ? null : paths.picture(row.picture)} size="small" />
);

/** The cells that every table of users shares. */
export const UserCells = ({ row }: UserProps): ReactNode => (
  <>
    <td>
      <span className="user-name">
        <UserPicture row={row} />
        <Link to={paths.editUser(row.id)} title={nameOf(row)}>
          {nameOf(row)}
        </Link>
        {row.plan !== 'free' && <span className="visually-hidden">{directoryText('premium')}</span>}
      </span>
    </td>
    <td className="clip" title={row.email}>
      <bdi>{row.email}</bdi>
    </td>
    <td className="clip" title={row.organizationName}>
      {row.organizationName}
    </td>
    <td className="clip" title={row.country}>
      {row.country}
    </td>
    <td className="num nowrap" data-label={directoryText('joined')}>
      {tableDate(row.createdAt)}
    </td>
  </>
);
