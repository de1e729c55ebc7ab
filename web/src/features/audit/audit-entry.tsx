import { readableEmail } from '@shortlist/contracts/unicode';
import { adminRoleText } from '@shortlist/contracts/admin-permissions';
import type { AuditParty, AuditView } from '@shortlist/contracts/api/audit';
import { partyText } from '@shortlist/contracts/audit-log';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router-dom';
import { tableTime } from '../../lib/dates.ts';
import { describeEntry, type DiffRow, partyName } from '../../lib/describe-entry.ts';
import { paths } from '../../lib/paths.ts';
import { May } from '../../lib/state/hooks.tsx';
import { auditText } from '../../messages/audit.ts';
import { ICON } from '../../ui/inline.tsx';
import ChevronDown from 'lucide-react/icons/chevron-down';

const isOwn = ({ actorId, targetId, target }: AuditView): boolean =>
  actorId === targetId && target.kind !== 'none';

const Value = ({ children }: { children: string | null }): ReactNode =>
  children === null ? auditText('nothing') : <bdi>{children}</bdi>;

const Diff = ({ rows }: { rows: readonly DiffRow[] }): ReactNode => (
  <table className="diff">
    <thead>
      <tr>
        <th scope="col">{auditText('field')}</th>
        <th scope="col">{auditText('before')}</th>
        <th scope="col">{auditText('after')}</th>
      </tr>
    </thead>
    <tbody>
      {rows.map(({ field, before, after }) => (
        <tr key={field}>
          <th scope="row">{field}</th>
          <td>
            <Value>{before}</Value>
          </td>
          <td className="diff-now">
            <Value>{after}</Value>
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);

const Origin = ({ entry: { address, id } }: { entry: AuditView }): ReactNode => (
  <p className="small muted">
    {address !== '' && (
      <>{auditText.rich<ReactNode>('from', { address: <bdi key="address">{address}</bdi> })} </>
    )}
    {auditText.rich<ReactNode>('reference', { id: <code key="id">{id}</code> })}
  </p>
);

/** What finds the entries of a person again; an id where nothing else is left. */
const searchOf = ({ kind, email }: AuditParty, id: string): string =>
  kind === 'system' ? partyText('system') : readableEmail(email ?? id);

type EntryProps = { entry: AuditView; isOfOneUser: boolean };

/** The page of whom or what the entry is about. */
const TargetPage = ({ entry: { target, targetId }, isOfOneUser }: EntryProps): ReactNode => {
  switch (target.kind) {
    case 'user':
      return isOfOneUser ? null : (
        <Link to={paths.editUser(targetId)}>
          {auditText('openUser', { name: partyName(target, targetId) })}
        </Link>
      );
    case 'admin':
    case 'invited':
      return (
        <May permission="team.manage">
          <Link to={paths.adminTeam}>{auditText('openTeam')}</Link>
        </May>
      );
    case 'tool':
      return (
        <May permission="tools.manage">
          <Link to={paths.adminTools}>{auditText('openTools')}</Link>
        </May>
      );
    default:
      return null;
  }
};

/** Links to whom or what the entry is about, and to the other entries of both. */
const Links = (props: EntryProps): ReactNode => {
  const { entry } = props;
  const { actor, actorId, target, targetId } = entry;
  const about = (key: 'by' | 'about', person: AuditParty, id: string): string =>
    `${paths.adminAudit}?${new URLSearchParams({ [key]: searchOf(person, id) }).toString()}`;
  return (
    <p className="opened-links">
      <TargetPage {...props} />
      {target.kind !== 'none' && !isOwn(entry) && (
        <Link to={about('about', target, targetId)}>
          {auditText('allAbout', { name: partyName(target, targetId) })}
        </Link>
      )}
      {actor.kind !== 'none' && (
        <Link to={about('by', actor, actorId)}>
          {auditText('allBy', { name: partyName(actor, actorId) })}
        </Link>
      )}
    </p>
  );
};

/** What was changed, and from where. */
const Opened = ({ entry, isOfOneUser }: EntryProps): ReactNode => {
  const { rows, notes } = describeEntry(entry);
  return (
    <div className="opened">
      {rows.length > 0 && <Diff rows={rows} />}
      {notes.map((note) => (
        <p key={note}>{note}</p>
      ))}
      <Origin entry={entry} />
      <Links entry={entry} isOfOneUser={isOfOneUser} />
    </div>
  );
};

/** A line of the audit log: when, who, what, why and whom. It opens to the rest. */
export const AuditEntryLine = ({ entry, isOfOneUser }: EntryProps): ReactNode => {
  const [isOpen, setIsOpen] = useState(false);
  const { actor, target } = entry;
  const { title, reason } = describeEntry(entry);
  return (
    <li>
      <details className="opens" onToggle={(event) => setIsOpen(event.currentTarget.open)}>
        <summary>
          <time className="num" dateTime={entry.at}>
            {tableTime(entry.at)}
          </time>{' '}
          <span>
            <bdi>{partyName(actor, entry.actorId)}</bdi>{' '}
            {actor.role !== null && <small>{adminRoleText(actor.role)}</small>}
          </span>{' '}
          <span>
            <strong>{title}</strong> {reason !== null && <small>{auditText('reason', { reason })}</small>}
          </span>{' '}
          {!isOfOneUser && (
            <span>
              {isOwn(entry) ? partyText('ownAccount') : <bdi>{partyName(target, entry.targetId)}</bdi>}
            </span>
          )}
          <ChevronDown {...ICON} />
        </summary>
        {isOpen && <Opened entry={entry} isOfOneUser={isOfOneUser} />}
      </details>
    </li>
  );
};
