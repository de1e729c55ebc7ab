import type { Notice, NoticeFields } from '@shortlist/contracts/api/notices';
import { days } from '@shortlist/contracts/durations';
import type { FieldMessages } from '@shortlist/contracts/errors';
import { NOTICE_MAX } from '@shortlist/contracts/limits';
import { inputTime } from '../../lib/dates.ts';
import { noticesText } from '../../messages/notices.ts';

/** The form of a notice. `from` and `until`: as an input has them, in the admin's time zone. */
export type NoticeValues = { [Name in keyof NoticeFields]: string };

/** A notice that begins now and ends a day later. */
export const newNotice = (time: number): NoticeValues => ({
  ...{ audience: 'everyone', tone: 'info', text: '', linkLabel: '', linkTo: '' },
  from: inputTime(new Date(time)),
  until: inputTime(new Date(time + days(1))),
});

export const valuesOf = ({ id: _id, from, until, ...notice }: Notice): NoticeValues => ({
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

/** What is wrong with a notice. The server checks the rest. */
export const noticeRules = ({ text, from, until }: NoticeValues): FieldMessages => ({
  ...(text.trim() === '' ? { text: noticesText('textMissing') } : {}),
  ...([...text].length > NOTICE_MAX ? { text: noticesText('tooLong', { max: NOTICE_MAX }) } : {}),
  ...(until <= from ? { until: noticesText('untilBeforeFrom') } : {}),
  ...(from === '' ? { from: noticesText('timeMissing') } : {}),
  ...(until === '' ? { until: noticesText('timeMissing') } : {}),
});

/** The notices by what they are at this time; those to come are in the order in which they begin. */
export const noticesAt = (notices: readonly Notice[], time: number) => {
  const begins = ({ from }: Notice): number => Date.parse(from);
  const isOver = ({ until }: Notice): boolean => Date.parse(until) <= time;
  return {
    now: notices.filter((notice) => !isOver(notice) && begins(notice) <= time),
    planned: notices
      .filter((notice) => !isOver(notice) && begins(notice) > time)
      .toSorted((one, other) => begins(one) - begins(other)),
    over: notices.filter(isOver),
  };
};
