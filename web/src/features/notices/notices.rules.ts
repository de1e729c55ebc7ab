import type { Notice, NoticeFields } from '@shortlist/contracts/api/notices';
import type { FieldMessages } from '@shortlist/contracts/errors';
import { NOTICE_MAX } from '@shortlist/contracts/limits';
import { noticesText } from '../../messages/notices.ts';

/** The form of a notice. `from` and `until`: as an input has them, in the admin's time zone. */
export type NoticeValues = { [Name in keyof NoticeFields]: string };

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
