// What admins announce above the pages of users: one paragraph with at most one link, to all users or to those of a plan, for a time.
import Joi from 'joi';
import { days } from '../durations.ts';
import { NOTICE_DAYS_MAX, NOTICE_LABEL_MAX, NOTICE_LINK_MAX, NOTICE_MAX } from '../limits.ts';
import * as rule from '../schemas/validation.ts';
import { addressesOf, FORM_BYTES, operationsOf, toAdmins, toUsers } from './operation.ts';

export const NOTICE_AUDIENCES = ['everyone', 'free', 'premium'] as const;
export type NoticeAudience = (typeof NOTICE_AUDIENCES)[number];
export const NOTICE_TONES = ['info', 'warn'] as const;
export type NoticeTone = (typeof NOTICE_TONES)[number];

/** A path of the product, or an https address without a name and password, which would make one host look like another. */
const LINK =
  /^(?:\/(?:[\w-]+(?:\/[\w-]+)*\/?)?|https:\/\/[a-z\d-]+(?:\.[a-z\d-]+)+(?::\d+)?(?:\/[!-~]*)?)(?:[?#][!-~]*)?$/i;

const time = rule.time.pattern(/^2\d{3}-/).messages(rule.oneMessage('Please enter a date and a time'));

const afterItsBeginning: Joi.CustomValidator<string> = (until, helpers) => {
  const { from } = (helpers.state.ancestors as [{ from?: unknown }])[0];
  const duration = Date.parse(until) - Date.parse(String(from));
  if (duration <= 0) return helpers.error('range.order');
  return duration > days(NOTICE_DAYS_MAX) ? helpers.error('range.long') : until;
};

/** `linkLabel` and `linkTo` are empty for a notice without a link. */
const noticeRules = {
  audience: rule.oneOf(NOTICE_AUDIENCES).messages(rule.oneMessage('Please choose who sees the notice')),
  tone: rule.oneOf(NOTICE_TONES).messages(rule.oneMessage('Please choose how the notice looks')),
  // Line breaks become spaces: a bar has one paragraph.
  text: rule.line({ required: 'Please enter a text' }, { max: NOTICE_MAX }).replace(/\s+/g, ' '),
  linkLabel: rule
    .line({ required: 'Please enter the text of the link' }, { max: NOTICE_LABEL_MAX })
    .allow(''),
  linkTo: rule.ofType<string>(
    Joi.string()
      .trim()
      .required()
      .when('linkLabel', {
        is: '',
        then: Joi.valid('').messages(rule.oneMessage('Please enter the text of the link, too')),
        otherwise: Joi.string()
          .max(NOTICE_LINK_MAX)
          .pattern(LINK)
          .messages({
            ...rule.oneMessage('Please enter a path of the product, such as /credits, or an https address'),
            'string.max': `Please use at most ${NOTICE_LINK_MAX} characters`,
          }),
      }),
  ),
  from: time,
  until: time.custom(afterItsBeginning).messages({
    'range.order': 'The end must be after the beginning',
    'range.long': `A notice can be shown for ${NOTICE_DAYS_MAX} days at most`,
  }),
};
export type NoticeFields = rule.TypeOf<typeof noticeRules>;

/** `version`: of the notice that the admin has changed. Pages of the release before name none. */
const changeRules = { ...noticeRules, version: rule.mayLack(rule.wholeNumber.min(1)) };
export type NoticeChange = rule.TypeOf<typeof changeRules>;

/** What a user sees of a notice. */
const viewFields = {
  id: rule.uuid,
  tone: rule.oneOf(NOTICE_TONES),
  text: rule.text,
  linkLabel: rule.text,
  linkTo: rule.text,
};
const noticeView = rule.view(viewFields);
export type NoticeView = rule.TypeOf<typeof noticeView>;

const notice = rule.view({
  ...viewFields,
  audience: rule.oneOf(NOTICE_AUDIENCES),
  from: rule.time,
  until: rule.time,
  version: rule.count,
});
export type Notice = rule.TypeOf<typeof notice>;

/** `changesAt`: when the next notice begins or ends; null if nothing is planned. */
const currentNotices = rule.view({
  notices: rule.listOf(noticeView),
  changesAt: rule.nullable(rule.time),
});
export type CurrentNotices = rule.TypeOf<typeof currentNotices>;

const byAdmin = operationsOf('profile', { roles: ['admin'] });
const NOTICE_PATH = '/api/admin/notices/:noticeId';
const WRITE = { permission: 'notices.write' } as const;

export const noticeEndpoints = {
  /** The NOTICES_LISTED that end last. */
  listNotices: byAdmin('GET /notices', {
    reply: { data: rule.listOf(notice) },
    public: { notices: toAdmins('/api/admin/notices', WRITE) },
  }),
  /** The client chooses the id, so that a repeated request makes one notice. Throws `profile.notices_full`. */
  createNotice: byAdmin('PUT /notices/:noticeId', {
    input: noticeRules,
    public: { createNotice: toAdmins(NOTICE_PATH, { ...WRITE, bodyBytes: 2 * FORM_BYTES }) },
  }),
  /** Throws `profile.notice_over`, also for a notice that an admin has ended, and `profile.notice_conflict`. */
  changeNotice: byAdmin('POST /notices/:noticeId', {
    input: changeRules,
    public: { changeNotice: toAdmins(NOTICE_PATH, { ...WRITE, bodyBytes: 2 * FORM_BYTES }) },
  }),
  /** Ends a notice now, or gives up one that has not begun. Does nothing to one that is over. */
  endNotice: byAdmin('POST /notices/:noticeId/end', {
    public: { endNotice: toAdmins(`${NOTICE_PATH}/end`, WRITE) },
  }),
  /** The notices for everyone and for the user's plan, in the order of their importance. */
  currentNotices: operationsOf('profile')('GET /profiles/:userId/notices', {
    roles: ['user'],
    self: 'userId',
    reply: { data: currentNotices },
    public: { currentNotices: toUsers('/api/notices', { whileViewing: true }) },
  }),
} as const;

export const publicNoticeEndpoints = addressesOf(noticeEndpoints);
