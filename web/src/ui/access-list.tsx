import type { AccessView } from '@shortlist/contracts/api/connected-apps';
import { LOCALE } from '@shortlist/contracts/messages';
import { type ReactNode, useId } from 'react';
import { accessText } from '../messages/access.ts';

const KINDS = ['apiKeys', 'connections', 'webhooks'] as const;
const names = new Intl.ListFormat(LOCALE, { type: 'unit' });

export const hasAccess = (access: AccessView | undefined): access is AccessView =>
  access !== undefined && KINDS.some((kind) => access[kind].length > 0);

/** What acts for a user beside the sessions: a line for each kind, with the names. */
export const AccessList = ({ access }: { access: AccessView }): ReactNode => (
  <ul className="access-list">
    {KINDS.filter((kind) => access[kind].length > 0).map((kind) => (
      <li key={kind}>
        {accessText.rich<ReactNode>(kind, {
          count: access[kind].length,
          names: <bdi key="names">{names.format(new Set(access[kind].map(({ name }) => name)))}</bdi>,
        })}
      </li>
    ))}
  </ul>
);

type EndAccessProps = {
  access: AccessView;
  /** Says that it stays. */
  introduction: string;
  isChosen: boolean;
  onChange: (isChosen: boolean) => void;
};

/** Says what stays when sessions end, with the choice to end it too. */
export const EndAccess = ({ access, introduction, isChosen, onChange }: EndAccessProps): ReactNode => {
  const noteId = useId();
  return (
    <div>
      <p>{introduction}</p>
      <AccessList access={access} />
      <label className="check-line">
        <input
          type="checkbox"
          checked={isChosen}
          aria-describedby={noteId}
          onChange={(event) => onChange(event.target.checked)}
        />
        <span>{accessText('endToo')}</span>
      </label>
      <p className="help" id={noteId}>
        {accessText('endTooNote')}
      </p>
    </div>
  );
};
