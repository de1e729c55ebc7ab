import { WEBHOOK_EVENTS, type WebhookEndpoint } from '@shortlist/contracts/api/webhooks';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import { WEBHOOK_URL_MAX } from '@shortlist/contracts/limits';
import { type ReactNode, useState } from 'react';
import { call } from '../../lib/api/call.ts';
import { revalidate } from '../../lib/data/use-query.ts';
import { type Rules, useForm } from '../../lib/form/use-form.ts';
import { useUserToken } from '../../lib/state/hooks.tsx';
import { useCommand } from '../../lib/state/use-command.ts';
import { webhookEventText, webhooksText } from '../../messages/webhooks.ts';
import { PickMany } from '../../ui/choices.tsx';
import { CopyOnce, FormDialog } from '../../ui/form-dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { eventsIn, NEW_WEBHOOK, valuesOf, webhookRules, type WebhookValues } from './webhooks.rules.ts';

const OPTIONS = WEBHOOK_EVENTS.map((event) => ({
  value: event,
  label: webhookEventText(event),
  note: event,
}));

const loadRules = (): Promise<Rules<WebhookValues>> => Promise.resolve(webhookRules);

type WebhookFormProps = {
  title: string;
  submitLabel: string;
  initial: WebhookValues;
  command: ReturnType<typeof useCommand<WebhookValues>>;
  onClose: () => void;
};

/** The address of a webhook, and what it hears about. */
const WebhookForm = ({ title, submitLabel, initial, command, onClose }: WebhookFormProps): ReactNode => {
  const form = useForm({ initial, loadRules });
  return (
    <FormDialog title={title} submit={submitLabel} isWide form={form} command={command} onClose={onClose}>
      <div className="form-parts">
        <TextField
          label={webhooksText('url')}
          type="url"
          placeholder={webhooksText('urlHint')}
          help={webhooksText('urlHelp')}
          maxLength={WEBHOOK_URL_MAX}
          autoComplete="off"
          data-autofocus
          {...form.input('url')}
        />
      </div>
      <PickMany
        legend={webhooksText('events')}
        options={OPTIONS}
        values={eventsIn(form.values.events)}
        error={form.errorOf('events')}
        onChange={(events) => form.set('events', events.join(' '))}
      />
    </FormDialog>
  );
};

const inputOf = ({ url, events }: WebhookValues) => ({ url: url.trim(), events: eventsIn(events) });

/** Shows a secret once. It is nowhere but in the state of the dialog. */
export const NewSecret = ({ secret, onClose }: { secret: string; onClose: () => void }): ReactNode => (
  <CopyOnce
    title={webhooksText('copyTitle')}
    text={webhooksText('copyText')}
    label={webhooksText('secret')}
    value={secret}
    onClose={onClose}
  />
);

/** Makes a webhook, and shows its secret. */
export const CreateWebhook = ({ onClose }: { onClose: () => void }): ReactNode => {
  const token = useUserToken();
  const [secret, setSecret] = useState<string | null>(null);
  const command = useCommand(async (values: WebhookValues): Promise<void> => {
    setSecret((await call(publicEndpoints.createWebhook, inputOf(values), { token })).secret);
    await revalidate(['connections']);
  });
  return secret === null ? (
    <WebhookForm
      title={webhooksText('createTitle')}
      submitLabel={webhooksText('create')}
      initial={NEW_WEBHOOK}
      command={command}
      onClose={onClose}
    />
  ) : (
    <NewSecret secret={secret} onClose={onClose} />
  );
};

type EditWebhookProps = { webhook: WebhookEndpoint; onClose: () => void };

export const EditWebhook = ({ webhook, onClose }: EditWebhookProps): ReactNode => {
  const token = useUserToken();
  const command = useCommand(async (values: WebhookValues): Promise<void> => {
    const change = { endpointId: webhook.id, ...inputOf(values), isOn: webhook.stop === null };
    await call(publicEndpoints.changeWebhook, change, { token });
    await revalidate(['connections']);
    onClose();
  });
  return (
    <WebhookForm
      title={webhooksText('editTitle')}
      submitLabel={webhooksText('save')}
      initial={valuesOf(webhook)}
      command={command}
      onClose={onClose}
    />
  );
};
