import type { WebhookEndpoint } from '@shortlist/contracts/api/webhooks';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import { WEBHOOK_ROTATION_HOURS } from '@shortlist/contracts/limits';
import { type ReactNode, useCallback, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { call } from '../../lib/api/call.ts';
import { revalidate } from '../../lib/data/use-query.ts';
import { shortTime } from '../../lib/dates.ts';
import { paths } from '../../lib/paths.ts';
import { useAppDispatch, useUserToken } from '../../lib/state/hooks.tsx';
import { toasts } from '../../lib/state/page.ts';
import { useCommand } from '../../lib/state/use-command.ts';
import { webhooksText } from '../../messages/webhooks.ts';
import { FailureAlert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { Details, Panel } from '../../ui/panel.tsx';
import { EditWebhook, NewSecret } from './webhook-form.tsx';
import { hostOf, phraseOf } from './webhooks.rules.ts';

type DialogProps = { webhook: WebhookEndpoint; onClose: () => void };

const RenewSecret = ({ webhook, onClose }: DialogProps): ReactNode => {
  const token = useUserToken();
  const [secret, setSecret] = useState<string | null>(null);
  const command = useCommand(async (): Promise<void> => {
    const reply = await call(publicEndpoints.rotateWebhookSecret, { endpointId: webhook.id }, { token });
    setSecret(reply.secret);
    await revalidate(['connections']);
  });
  if (secret !== null) return <NewSecret secret={secret} onClose={onClose} />;
  return (
    <ConfirmDialog
      title={webhooksText('renewTitle')}
      confirmLabel={webhooksText('renew')}
      command={command}
      onClose={onClose}
    >
      <p>{webhooksText('renewText', { hours: WEBHOOK_ROTATION_HOURS })}</p>
    </ConfirmDialog>
  );
};

const DeleteDialog = ({ webhook, onClose }: DialogProps): ReactNode => {
  const token = useUserToken();
  const navigate = useNavigate();
  const command = useCommand(async (): Promise<void> => {
    await call(publicEndpoints.deleteWebhook, { endpointId: webhook.id }, { token });
    await navigate(paths.connections, { replace: true });
    await revalidate(['connections']);
  });
  return (
    <ConfirmDialog
      title={webhooksText('deleteTitle')}
      confirmLabel={webhooksText('deleteConfirm')}
      isBad
      command={command}
      onClose={onClose}
    >
      <p>
        <bdi>
          <strong>{hostOf(webhook)}</strong>
        </bdi>
      </p>
      <p>{webhooksText('deleteText')}</p>
    </ConfirmDialog>
  );
};

const stateOf = ({ stop, failingSince }: WebhookEndpoint): string => {
  if (stop !== null) return webhooksText(`stop_${stop}`);
  return failingSince === null
    ? webhooksText('on')
    : webhooksText('failingSince', { day: shortTime(failingSince) });
};

const rowsOf = (webhook: WebhookEndpoint): [string, ReactNode][] => {
  const { url, events, previousSecretUntil } = webhook;
  const rows: [string, ReactNode][] = [
    [webhooksText('address'), <bdi key="url">{url}</bdi>],
    [webhooksText('events'), phraseOf(events)],
    [webhooksText('state'), stateOf(webhook)],
  ];
  if (previousSecretUntil !== null)
    rows.push([webhooksText('secret'), webhooksText('oldSecret', { day: shortTime(previousSecretUntil) })]);
  return rows;
};

/** Sends a test event, and turns the webhook on or off. */
const useWebhookCommands = ({ id: endpointId, url, events, stop }: WebhookEndpoint) => {
  const token = useUserToken();
  const dispatch = useAppDispatch();
  const test = useCommand(async (): Promise<void> => {
    await call(publicEndpoints.sendTestEvent, { endpointId }, { token });
    dispatch(toasts.added(webhooksText('testSent')));
    await revalidate(['connections']);
  });
  const turn = useCommand(async (): Promise<void> => {
    const change = { endpointId, url, events, isOn: stop !== null };
    await call(publicEndpoints.changeWebhook, change, { token });
    await revalidate(['connections']);
  });
  return { test, turn };
};

const DIALOGS = { edit: EditWebhook, renew: RenewSecret, delete: DeleteDialog };

/** What a webhook is, and what can be done with it. */
export const WebhookDetails = ({ webhook }: { webhook: WebhookEndpoint }): ReactNode => {
  const { test, turn } = useWebhookCommands(webhook);
  const [opened, setOpened] = useState<keyof typeof DIALOGS | null>(null);
  const close = useCallback(() => setOpened(null), []);
  const Opened = opened && DIALOGS[opened];
  const isOn = webhook.stop === null;
  const failure = test.failure ?? turn.failure;
  return (
    <Panel title={webhooksText('pageTitle')}>
      <div className="stack">
        {failure !== null && <FailureAlert failure={failure} />}
        <Details rows={rowsOf(webhook)} />
        <div className="button-row">
          {isOn && (
            <Button variant="primary" isBusy={test.isBusy} onClick={() => void test.run()}>
              {webhooksText('test')}
            </Button>
          )}
          <Button isBusy={turn.isBusy} onClick={() => void turn.run()}>
            {webhooksText(isOn ? 'turnOff' : 'turnOn')}
          </Button>
          {(['edit', 'renew', 'delete'] as const).map((name) => (
            <Button key={name} onClick={() => setOpened(name)}>
              {webhooksText(name)}
            </Button>
          ))}
        </div>
      </div>
      {Opened && <Opened webhook={webhook} onClose={close} />}
    </Panel>
  );
};
