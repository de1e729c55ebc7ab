import {
  type Notice,
  NOTICE_AUDIENCES,
  NOTICE_TONES,
  type NoticeTone,
} from '@shortlist/contracts/api/notices';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import { NOTICE_LABEL_MAX, NOTICE_LINK_MAX, NOTICE_MAX } from '@shortlist/contracts/limits';
import { type ReactNode, useRef, useState } from 'react';
import { call } from '../../lib/api/call.ts';
import { revalidate } from '../../lib/data/use-query.ts';
import { currentTimeZone, now } from '../../lib/dates.ts';
import { type Rules, useForm } from '../../lib/form/use-form.ts';
import { useAdminToken, useAppDispatch } from '../../lib/state/hooks.tsx';
import { toasts } from '../../lib/state/page.ts';
import { useCommand } from '../../lib/state/use-command.ts';
import { audienceText, noticesText, toneText } from '../../messages/notices.ts';
import { Choices } from '../../ui/choices.tsx';
import { TextAreaField, TextField } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { NoticeBar } from './notice-bar.tsx';
import { fieldsOf, newNotice, valuesOf } from './notice-values.ts';
import { noticeRules, type NoticeValues } from './notices.rules.ts';

const AUDIENCES = NOTICE_AUDIENCES.map((audience) => [audience, audienceText(audience)] as const);
const TONES = NOTICE_TONES.map((tone) => [tone, toneText(tone)] as const);
const VIEWERS = [
  ['free', noticesText('freeUsers')],
  ['premium', noticesText('premiumUsers')],
] as const;

const loadRules = (): Promise<Rules<NoticeValues>> => Promise.resolve(noticeRules);

/** What the users of each plan see of the values. */
const Preview = ({ values }: { values: NoticeValues }): ReactNode => {
  const { audience, text, linkLabel } = values;
  const notice = {
    tone: values.tone as NoticeTone,
    text: text.trim(),
    linkLabel: linkLabel.trim(),
    linkTo: '',
  };
  return (
    <section className="stack stack-s" aria-label={noticesText('preview')}>
      {VIEWERS.map(([plan, label]) => (
        <div key={plan}>
          <p className="label">{label}</p>
          {audience === 'everyone' || audience === plan ? (
            <NoticeBar notice={notice} />
          ) : (
            <p className="small muted">{noticesText('notSeen')}</p>
          )}
        </div>
      ))}
    </section>
  );
};

type NoticeFormProps = {
  title: string;
  initial: NoticeValues;
  save: (values: NoticeValues) => Promise<unknown>;
  onClose: () => void;
};

const useSave = ({ save, onClose }: Pick<NoticeFormProps, 'save' | 'onClose'>) => {
  const dispatch = useAppDispatch();
  return useCommand(async (values: NoticeValues): Promise<void> => {
    try {
      await save(values);
    } finally {
      void revalidate(['notices']); // also after a failure: it may have been saved, or be over
    }
    dispatch(toasts.added(noticesText('created')));
    onClose();
  });
};

const NoticeForm = ({ title, initial, save, onClose }: NoticeFormProps): ReactNode => {
  const form = useForm({ initial, loadRules });
  const { values, set, input } = form;
  const help = noticesText('timeHelp', { zone: currentTimeZone() });
  return (
    <FormDialog
      title={title}
      submit={noticesText('save')}
      isWide
      form={form}
      command={useSave({ save, onClose })}
      onClose={onClose}
    >
      <Choices
        label={noticesText('audience')}
        choices={AUDIENCES}
        columns={3}
        isChosen={(audience) => audience === values.audience}
        onChoose={(audience) => set('audience', audience)}
      />
      <Choices
        label={noticesText('tone')}
        choices={TONES}
        columns={2}
        isChosen={(tone) => tone === values.tone}
        onChoose={(tone) => set('tone', tone)}
      />
      <TextAreaField
        label={noticesText('text')}
        help={noticesText('textHelp', { max: NOTICE_MAX })}
        rows={3}
        data-autofocus
        {...input('text')}
      />
      <div className="form-grid">
        <TextField
          label={noticesText('linkLabel')}
          qualifier={noticesText('optional')}
          maxLength={NOTICE_LABEL_MAX}
          {...input('linkLabel')}
        />
        <TextField
          label={noticesText('linkTo')}
          qualifier={noticesText('optional')}
          placeholder={noticesText('linkHint')}
          maxLength={NOTICE_LINK_MAX}
          autoComplete="off"
          {...input('linkTo')}
        />
        <TextField label={noticesText('from')} type="datetime-local" help={help} {...input('from')} />
        <TextField label={noticesText('until')} type="datetime-local" help={help} {...input('until')} />
      </div>
      <Preview values={values} />
    </FormDialog>
  );
};

/** The id belongs to the values, so that values that are sent again are one notice. */
const useIdOf = () => {
  const latest = useRef<{ values: NoticeValues; id: string } | null>(null);
  return (values: NoticeValues): string => {
    if (latest.current?.values !== values) latest.current = { values, id: crypto.randomUUID() };
    return latest.current.id;
  };
};

type DialogProps = { onClose: () => void };

export const CreateNotice = ({ onClose }: DialogProps): ReactNode => {
  const token = useAdminToken();
  const idOf = useIdOf();
  const [initial] = useState(() => newNotice(now()));
  return (
    <NoticeForm
      title={noticesText('createTitle')}
      initial={initial}
      save={(values) =>
        call(publicEndpoints.createNotice, { noticeId: idOf(values), ...fieldsOf(values) }, { token })
      }
      onClose={onClose}
    />
  );
};

export const ChangeNotice = ({ notice, onClose }: DialogProps & { notice: Notice }): ReactNode => {
  const token = useAdminToken();
  // Not that of a list that is read again while the dialog is open, which does not show the other admin's change.
  const [{ id: noticeId, version }] = useState(notice);
  return (
    <NoticeForm
      title={noticesText('changeTitle')}
      initial={valuesOf(notice)}
      save={(values) =>
        call(publicEndpoints.changeNotice, { noticeId, version, ...fieldsOf(values) }, { token })
      }
      onClose={onClose}
    />
  );
};
