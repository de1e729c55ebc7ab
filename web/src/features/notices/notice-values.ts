import type { Notice, NoticeFields } from '@shortlist/contracts/api/notices';
import { days } from '@shortlist/contracts/durations';
import { inputTime } from '../../lib/dates.ts';
import type { NoticeValues } from './notices.rules.ts';

/** A notice that begins now and ends a day later. */
export const newNotice = (time: number): NoticeValues => ({
  ...{ audience: 'everyone', tone: 'info', text: '', linkLabel: '', linkTo: '' },
  from: inputTime(new Date(time)),
  until: inputTime(new Date(time + days(1))),
});

export const valuesOf = ({ id: _id, version: _version, from, until, ...notice }: Notice): NoticeValues => ({
  ...notice,
  from: inputTime(from),
  until: inputTime(until),
});

/** The form's choices offer the values of the first two fields only. */
export const fieldsOf = ({ from, until, ...values }: NoticeValues): NoticeFields => ({
  ...(values as Omit<NoticeFields, 'from' | 'until'>),
  from: new Date(from).toISOString(),
  until: new Date(until).toISOString(),
});
