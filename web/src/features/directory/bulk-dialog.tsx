import type { NewJob, UserFilter } from '@shortlist/contracts/api/bulk';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import { BULK_REASON_MAX, BULK_SUBJECT_MAX, BULK_TEXT_MAX } from '@shortlist/contracts/limits';
import type { UnsubscribeTime } from '@shortlist/contracts/plan';
import { type ReactNode, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { call } from '../../lib/api/call.ts';
import { useGrantDay } from '../../lib/grant-days.ts';
import { paths } from '../../lib/paths.ts';
import { useAdminToken } from '../../lib/state/hooks.tsx';
import { useCommand } from '../../lib/state/use-command.ts';
import { bulkText } from '../../messages/bulk.ts';
import { Pick } from '../../ui/choices.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { TextAreaField, TextField } from '../../ui/field.tsx';
import type { BulkAction } from './selection.ts';

/** The selected users, or those who match a filter. `isCapped`: there are more than the list counts. */
export type Target = { count: number; isCapped: boolean } & (
  { ids: string; filter?: never } | { ids?: never; filter: UserFilter }
);

/** What the dialog of any kind has. Each kind uses some of it. */
type Values = {
  reason: string;
  when: UnsubscribeTime;
  withAccess: boolean;
  about: 'message' | 'news';
  subject: string;
  text: string;
  count: string;
};
const EMPTY: Values = {
  reason: '',
  when: 'period_end',
  withAccess: false,
  about: 'message',
  subject: '',
  text: '',
  count: '',
};

type FieldsProps = {
  values: Values;
  target: Target;
  grantDay: ReturnType<typeof useGrantDay>;
  refused: Record<string, string>;
  onChange: (values: Partial<Values>) => void;
};

const TIMES = [
  { value: 'period_end', label: bulkText('atEnd'), note: bulkText('atEndNote') },
  { value: 'now', label: bulkText('atOnce'), note: bulkText('atOnceNote') },
] as const;

const ABOUT = [
  { value: 'message', label: bulkText('about_message'), note: bulkText('about_message_note') },
  { value: 'news', label: bulkText('about_news'), note: bulkText('about_news_note') },
] as const;

const GrantDayField = ({ grantDay: { field }, refused }: FieldsProps): ReactNode => (
  <TextField {...field} error={field.error ?? refused['until']} />
);

const WhenField = ({ values, onChange }: FieldsProps): ReactNode => (
  <Pick
    legend={bulkText('when')}
    options={TIMES}
    value={values.when}
    onChange={(when) => onChange({ when })}
  />
);

const AccessField = ({ values, onChange }: FieldsProps): ReactNode => (
  <label className="check-line">
    <input
      type="checkbox"
      checked={values.withAccess}
      onChange={(event) => onChange({ withAccess: event.target.checked })}
    />
    <span>{bulkText('withAccess')}</span>
  </label>
);

const MessageFields = ({ values, refused, onChange }: FieldsProps): ReactNode => (
  <>
    <Pick
      legend={bulkText('about')}
      options={ABOUT}
      value={values.about}
      onChange={(about) => onChange({ about })}
    />
    <TextField
      label={bulkText('subject')}
      maxLength={BULK_SUBJECT_MAX}
      value={values.subject}
      error={refused['subject']}
      onChange={(event) => onChange({ subject: event.target.value })}
    />
    <TextAreaField
      label={bulkText('text')}
      help={bulkText('textHelp')}
      maxLength={BULK_TEXT_MAX}
      rows={8}
      value={values.text}
      error={refused['text']}
      onChange={(event) => onChange({ text: event.target.value })}
    />
  </>
);

const CountField = ({ values, target, refused, onChange }: FieldsProps): ReactNode => (
  <TextField
    label={bulkText('typeCount', { count: target.count })}
    inputMode="numeric"
    autoComplete="off"
    value={values.count}
    error={refused['count']}
    onChange={(event) => onChange({ count: event.target.value })}
  />
);

const FIELDS: Partial<Record<BulkAction, (props: FieldsProps) => ReactNode>> = {
  grant: GrantDayField,
  revoke: WhenField,
  end_sessions: AccessField,
  message: MessageFields,
  delete: CountField,
};

const optionsOf = (kind: BulkAction, values: Values): Partial<NewJob> => {
  if (kind === 'revoke') return { when: values.when };
  if (kind === 'end_sessions') return { withAccess: values.withAccess };
  if (kind === 'message') return { kind: values.about, subject: values.subject, text: values.text };
  return kind === 'delete' ? { count: Number(values.count) } : {};
};

/** Of a deletion, the number that the admin typed must be that of the list. */
const problemOf = (kind: BulkAction, { count }: Values, target: Target): string | null => {
  if (kind !== 'delete') return null;
  if (target.isCapped) return bulkText('tooMany', { count: target.count });
  return count.trim() === String(target.count) ? null : bulkText('wrongCount');
};

/** Null while there is no possible last day. */
const grantOf = (kind: BulkAction, until: string | null): Partial<NewJob> | null => {
  if (kind !== 'grant') return {};
  return until === null ? null : { until };
};

type Order = { values: Values; grant: Partial<NewJob> };

const useStartJob = (kind: BulkAction, { ids, filter }: Target, onStarted: () => void) => {
  const token = useAdminToken();
  const navigate = useNavigate();
  // One id for each dialog, so that a request that is sent again starts one job.
  const [jobId] = useState(() => crypto.randomUUID());
  return useCommand(async ({ values, grant }: Order): Promise<void> => {
    const users = ids === undefined ? { filter: filter ?? {} } : { ids };
    const order = { jobId, kind, reason: values.reason, ...users, ...optionsOf(kind, values), ...grant };
    await call(publicEndpoints.createBulkJob, order, { token });
    onStarted();
    await navigate(paths.adminJob(jobId));
  });
};

type BulkDialogProps = { kind: BulkAction; target: Target; onStarted: () => void; onClose: () => void };

/** Says what an action does to how many users and whether it can be undone, and asks for the reason. */
export const BulkDialog = ({ kind, target, onStarted, onClose }: BulkDialogProps): ReactNode => {
  const [values, setValues] = useState(EMPTY);
  const [problem, setProblem] = useState<string | null>(null);
  const grantDay = useGrantDay();
  const command = useStartJob(kind, target, onStarted);
  const fields: Record<string, string> = command.failure?.fields ?? {};
  const refused: Record<string, string> = problem === null ? fields : { ...fields, count: problem };
  const run = async (): Promise<void> => {
    const found = problemOf(kind, values, target);
    setProblem(found);
    const grant = grantOf(kind, grantDay.until);
    if (found === null && grant !== null) await command.run({ values, grant });
  };
  const Fields = FIELDS[kind];
  const isUndoable = kind === 'grant' || (kind === 'revoke' && values.when === 'period_end');
  const { count } = target;
  return (
    <ConfirmDialog
      title={bulkText(`title_${kind}`, { count })}
      confirmLabel={bulkText(`do_${kind}`)}
      isBad={kind === 'delete'}
      command={{ ...command, run }}
      isFailureAtField={['reason', 'until', 'subject', 'text', 'count'].some((name) => name in refused)}
      onClose={onClose}
    >
      <p>{bulkText(`effect_${kind}`)}</p>
      <p>{bulkText(isUndoable ? 'canUndo' : 'cannotUndo')}</p>
      {Fields !== undefined && (
        <Fields
          values={values}
          target={target}
          refused={refused}
          grantDay={grantDay}
          onChange={(part) => setValues({ ...values, ...part })}
        />
      )}
      <TextField
        label={bulkText('reason')}
        help={bulkText('reasonHelp')}
        maxLength={BULK_REASON_MAX}
        value={values.reason}
        error={refused['reason']}
        onChange={(event) => setValues({ ...values, reason: event.target.value })}
      />
    </ConfirmDialog>
  );
};
