import type { SignInView } from '@shortlist/contracts/api/sign-ins';
import { useState, type ReactNode } from 'react';
import { signInsText } from '../../messages/sign-ins.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Panel } from '../../ui/panel.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { Trail, TrailEntry } from '../../ui/trail.tsx';
import { deviceName } from './device-text.ts';

/** Entries that are shown at first. */
const FIRST = 8;

const sentences = (parts: readonly string[]): string =>
  parts
    .filter((part) => part !== '')
    .reduce((first, rest) => (first === '' ? rest : signInsText('sentences', { first, rest })), '');

const failureNote = ({ place, isLocked }: SignInView, isOwn: boolean): string =>
  sentences([place, isLocked ? signInsText('waiting') : '', isOwn ? signInsText('notYou') : '']);

const Entry = ({ signIn, isOwn }: { signIn: SignInView; isOwn: boolean }): ReactNode => {
  const { at, outcome, method, attempts, place, isNewDevice } = signIn;
  if (method === 'support') return <TrailEntry at={at} title={signInsText('support')} note="" />;
  if (outcome === 'failed') {
    const title = signInsText(`wrong_${method}`, { count: attempts });
    return <TrailEntry at={at} isWarning title={title} note={failureNote(signIn, isOwn)} />;
  }
  const title = (
    <>
      {deviceName(signIn)} {isNewDevice && <Badge>{signInsText('newDevice')}</Badge>}
    </>
  );
  const note = sentences([signInsText(method), place, isNewDevice ? signInsText('mailed') : '']);
  return <TrailEntry at={at} title={title} note={note} />;
};

type SignInListProps = { signIns: SignInView[]; isOwn: boolean };

/** The log-ins of an account, the newest first; failed ones in a row are one entry. */
export const SignInList = ({ signIns, isOwn }: SignInListProps): ReactNode => {
  const [isWhole, setIsWhole] = useState(false);
  const hasPlaces = signIns.some(({ place }) => place !== '');
  const visible = isWhole ? signIns : signIns.slice(0, FIRST);
  return (
    <Panel title={signInsText('title')} note={signInsText(hasPlaces ? 'noteWithPlaces' : 'note')} isBare>
      {signIns.length === 0 ? (
        <EmptyState>{signInsText('none')}</EmptyState>
      ) : (
        <Trail>
          {visible.map((signIn) => (
            <Entry key={signIn.id} signIn={signIn} isOwn={isOwn} />
          ))}
        </Trail>
      )}
      {visible.length < signIns.length && (
        <div className="panel-actions">
          <Button onClick={() => setIsWhole(true)}>
            {signInsText('showAll', { count: signIns.length })}
          </Button>
        </div>
      )}
    </Panel>
  );
};
