import Laptop from 'lucide-react/icons/laptop';
import Monitor from 'lucide-react/icons/monitor';
import Smartphone from 'lucide-react/icons/smartphone';
import type { ReactNode } from 'react';
import { dayOfYear, now, timeOfDay } from '../../lib/dates.ts';
import { devicesText } from '../../messages/security.ts';
import { ICON } from '../../ui/inline.tsx';

const PHONE = /^(iPhone|iPad|Android)$/;
const DESKTOP = /^Windows$/;

export const DeviceIcon = ({ system }: { system: string }): ReactNode => {
  if (PHONE.test(system)) return <Smartphone {...ICON} />;
  return DESKTOP.test(system) ? <Monitor {...ICON} /> : <Laptop {...ICON} />;
};

/** The name of a device, such as 'Firefox on macOS'. */
export const deviceName = ({ browser, system }: { browser: string; system: string }): string => {
  if (browser !== '' && system !== '') return devicesText('named', { browser, system });
  return browser || system || devicesText('unknown');
};

const isSameDay = (one: Date, other: Date): boolean => one.toDateString() === other.toDateString();

/** Today at 9:41 AM, Yesterday at 9:41 AM, November 14 at 9:41 AM */
export const recentTime = (iso: string): string => {
  const date = new Date(iso);
  const time = timeOfDay(iso);
  const yesterday = new Date(now());
  yesterday.setDate(yesterday.getDate() - 1);
  if (isSameDay(date, new Date(now()))) return devicesText('today', { time });
  if (isSameDay(date, yesterday)) return devicesText('yesterday', { time });
  return devicesText('onDay', { day: dayOfYear(iso), time });
};
