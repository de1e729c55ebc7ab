import type { SignInView } from '@shortlist/contracts/api/sessions';
import { devicesText, signInsText } from '../messages/security.ts';
import { now, shortTime, timeOfDay } from './dates.ts';
import { sentences } from './sentences.ts';

/** The name of a device, such as 'Firefox on macOS'. */
export const deviceName = ({ browser, system }: { browser: string; system: string }): string => {
  if (browser !== '' && system !== '') return devicesText('named', { browser, system });
  return browser || system || devicesText('unknown');
};

const isSameDay = (one: Date, other: Date): boolean => one.toDateString() === other.toDateString();

/** Today at 9:41 AM, Yesterday at 9:41 AM, Nov 14, 2026, 9:41 AM */
export const recentTime = (iso: string): string => {
  const date = new Date(iso);
  const time = timeOfDay(iso);
  const yesterday = new Date(now());
  yesterday.setDate(yesterday.getDate() - 1);
  if (isSameDay(date, new Date(now()))) return devicesText('today', { time });
  if (isSameDay(date, yesterday)) return devicesText('yesterday', { time });
  return shortTime(iso);
};

/** A log-in in words, for the user (`isOwn`) or for an admin. */
export const describeSignIn = (
  signIn: SignInView,
  isOwn: boolean,
): { title: string; note: string; isWarning?: true } => {
  const { outcome, method, attempts, place, isNewDevice, isLocked } = signIn;
  if (method === 'support') return { title: signInsText('support'), note: '' };
  if (outcome === 'failed')
    return {
      title: signInsText(`wrong_${method}`, { count: attempts }),
      note: sentences([place, isLocked ? signInsText('waiting') : '', isOwn ? signInsText('notYou') : '']),
      isWarning: true,
    };
  const note = sentences([signInsText(method), place, isNewDevice ? signInsText('mailed') : '']);
  return { title: deviceName(signIn), note };
};
