import { adminRoleText } from '@shortlist/contracts/admin-permissions';
import { hours } from '@shortlist/contracts/durations';
import { useEffect, useState, type ReactNode } from 'react';
import { now } from '../../lib/dates.ts';
import { adminName, useOwnAdmin } from '../../lib/data/use-account.ts';
import { useCredits } from '../../lib/data/use-plan.ts';
import { useAppDispatch, useSession } from '../../lib/state/hooks.tsx';
import { toasts } from '../../lib/state/page.ts';
import { ADMIN_TOKEN, readItem, USER_TOKEN, welcomedKey, writeItem } from '../../lib/storage.ts';
import { viewingEnd } from '../../lib/viewing.ts';
import { welcomeText } from '../../messages/welcome.ts';
import { useDelay } from '../../ui/states.tsx';

/** Source: docs/product.md. */
const TOAST_AFTER_MS = 3_000;
/** Within this time after the sign-up, the user is greeted as a new one. */
const NEW_MS = hours(1);

/** Isolates the direction of a right-to-left name with U+2068 and U+2069, as <bdi> does in markup. */
const isolated = (name: string): string => (/[\u0590-\u08FF]/.test(name) ? `\u2068${name}\u2069` : name);

/** Shows the toast once it has a text, and remembers for all tabs that this log-in has had it. */
const useToast = (storageKey: string, text: string | null): void => {
  const dispatch = useAppDispatch();
  const isTime = useDelay(TOAST_AFTER_MS);
  useEffect(() => {
    if (!isTime || text === null || readItem(welcomedKey(storageKey)) !== null) return;
    writeItem(welcomedKey(storageKey), 'true');
    dispatch(toasts.added(text));
  }, [dispatch, isTime, text, storageKey]);
};

const useGreeting = (): string | null => {
  const { user } = useSession('user');
  const { data: credits, error } = useCredits();
  if (user === null) return null;
  const name = isolated(user.firstName);
  const isNew = now() - Date.parse(user.createdAt) < NEW_MS;
  const greeting = welcomeText(isNew ? 'newUser' : 'knownUser');
  if (credits !== undefined)
    return welcomeText('withCredits', { greeting, name, credits: credits.available });
  return error === undefined ? null : welcomeText('greeting', { greeting, name });
};

const UserWelcome = (): ReactNode => {
  useToast(USER_TOKEN, useGreeting());
  return null;
};

const AdminWelcome = (): ReactNode => {
  const { data: admin } = useOwnAdmin();
  const text = !admin?.role
    ? null
    : welcomeText('admin', { name: isolated(adminName(admin)), role: adminRoleText(admin.role) });
  useToast(ADMIN_TOKEN, text);
  return null;
};

/** The toast three seconds after the layout starts, once for each log-in. */
export const Welcome = ({ isAdmin }: { isAdmin: boolean }): ReactNode => {
  const [isDue] = useState(() => readItem(welcomedKey(isAdmin ? ADMIN_TOKEN : USER_TOKEN)) === null);
  if (!isDue || viewingEnd() !== null) return null;
  return isAdmin ? <AdminWelcome /> : <UserWelcome />;
};
