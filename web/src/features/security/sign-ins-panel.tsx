import { publicEndpoints } from '@shortlist/contracts/api/public';
import type { SignInView } from '@shortlist/contracts/api/sessions';
import { type ReactNode, useState } from 'react';
import { useQuery } from '../../lib/data/use-query.ts';
import { describeSignIn } from '../../lib/devices.ts';
import { signInsText } from '../../messages/security.ts';
import { Button } from '../../ui/button.tsx';
import { Badge } from '../../ui/inline.tsx';
import { Panel, Trail, TrailEntry } from '../../ui/panel.tsx';
import { EmptyState, isSettled, type QueryState, QueryView } from '../../ui/query-view.tsx';
import { Skeleton, SkeletonPanel } from '../../ui/states.tsx';
import { useDevices } from './devices-panel.tsx';

/** Entries that are shown at first. */
const FIRST = 8;

const Entry = ({ signIn, isOwn }: { signIn: SignInView; isOwn: boolean }): ReactNode => {
  const { title, ...entry } = describeSignIn(signIn, isOwn);
  const isNew = signIn.outcome === 'succeeded' && signIn.isNewDevice;
  return (
    <TrailEntry
      at={signIn.at}
      {...entry}
      title={
        <>
          {title} {isNew && <Badge>{signInsText('newDevice')}</Badge>}
        </>
      }
    />
  );
};

type SignInListProps = { signIns: SignInView[]; isOwn: boolean };

/** The log-ins of an account, the newest first; failed ones in a row are one entry. */
const SignInList = ({ signIns, isOwn }: SignInListProps): ReactNode => {
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
          <Button isReadOnly onClick={() => setIsWhole(true)}>
            {signInsText('showAll', { count: signIns.length })}
          </Button>
        </div>
      )}
    </Panel>
  );
};

const useOwnSignIns = () => useQuery('security', publicEndpoints.listSignIns, {});

export const useUserSignIns = (userId: string) =>
  useQuery('directory', publicEndpoints.listUserSignIns, { id: userId });

const View = ({ query, isOwn }: { query: QueryState<SignInView[]>; isOwn: boolean }): ReactNode => (
  <QueryView
    query={query}
    skeleton={
      <Skeleton label={signInsText('loading')}>
        <SkeletonPanel lines={4} />
      </Skeleton>
    }
    errorTitle={signInsText('failed')}
  >
    {(signIns) => <SignInList signIns={signIns} isOwn={isOwn} />}
  </QueryView>
);

/** The recent log-ins of the user. They wait for the devices, which are above them and would push them down. */
export const SignInsPanel = (): ReactNode => {
  const query = useOwnSignIns();
  const isEarly = !isSettled(useDevices());
  return <View query={isEarly ? { ...query, data: undefined, error: undefined } : query} isOwn />;
};

/** The recent log-ins of a user, for admins. */
export const UserSignInsPanel = ({ userId }: { userId: string }): ReactNode => (
  <View query={useUserSignIns(userId)} isOwn={false} />
);
