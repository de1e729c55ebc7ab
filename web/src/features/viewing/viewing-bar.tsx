import Eye from 'lucide-react/icons/eye';
import { useEffect, useState, type ReactNode } from 'react';
import { now } from '../../lib/clock.ts';
import { endUserAuth } from '../../lib/state/end-user-auth.ts';
import { useAppDispatch, useAppSelector } from '../../lib/state/hooks.ts';
import { viewingEnd } from '../../lib/viewing.ts';
import { viewingText } from '../../messages/viewing.ts';

const MINUTE_MS = 60_000;
const STEP_MS = 5_000;

const useMinutesLeft = (end: number): number => {
  const [time, setTime] = useState(now);
  useEffect(() => {
    const interval = setInterval(() => setTime(now()), STEP_MS);
    return () => clearInterval(interval);
  }, []);
  return Math.max(0, Math.floor((end - time) / MINUTE_MS));
};

const Bar = ({ name, end }: { name: string; end: number }): ReactNode => {
  const dispatch = useAppDispatch();
  const minutes = useMinutesLeft(end);
  return (
    <div className="viewing-bar" role="region" aria-label={viewingText('bar', { name })}>
      <Eye size={18} strokeWidth={1.75} aria-hidden="true" />
      <p>
        <strong>{viewingText('bar', { name })}</strong> {viewingText('left', { minutes })}
      </p>
      <button type="button" onClick={() => dispatch(endUserAuth.logoutRequested())}>
        {viewingText('stop')}
      </button>
    </div>
  );
};

/** One line above every page while an admin views the product as a user: whose account it is, how long, and the way out. */
export const ViewingBar = (): ReactNode => {
  const user = useAppSelector((state) => state.endUserAuth.endUserInfo);
  const end = viewingEnd();
  if (end === null || user === null) return null;
  return <Bar name={`${user.firstName} ${user.lastName}`} end={end} />;
};
