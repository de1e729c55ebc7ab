import type { ConnectionRequest, RequestReference } from '@shortlist/contracts/api/connected-apps';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import { type ReactNode, useEffect } from 'react';
import { call } from '../../lib/api/call.ts';
import { type Rules, useForm } from '../../lib/form/use-form.ts';
import { useUserToken } from '../../lib/state/hooks.tsx';
import { useCommand } from '../../lib/state/use-command.ts';
import { connectText } from '../../messages/connections.ts';
import { FailureAlert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { AuthHead } from '../../ui/page-frame.tsx';
import { Skeleton, SkeletonPanel } from '../../ui/states.tsx';
import { shownCode } from './connections.rules.ts';

export type FoundRequest = { reference: RequestReference; request: ConnectionRequest };

type FindProps = { onFound: (found: FoundRequest) => void };

/** Reads a request of an app. A wrong code counts on the server, so that this is a command. */
const useFind = ({ onFound }: FindProps) => {
  const token = useUserToken();
  return useCommand(async (reference: RequestReference): Promise<void> => {
    const { data } = await call(publicEndpoints.findConnectionRequest, reference, { token });
    onFound({ reference, request: data });
  });
};

const codeRules: Rules<{ code: string }> = ({ code }) =>
  code === '' ? { code: connectText('codeMissing') } : {};
const loadRules = (): Promise<Rules<{ code: string }>> => Promise.resolve(codeRules);

/** Asks for the code that an app shows. */
export const CodeForm = ({ onFound }: FindProps): ReactNode => {
  const form = useForm({ initial: { code: '' }, loadRules });
  const { isBusy, failure, run } = useFind({ onFound });
  return (
    <>
      <AuthHead title={connectText('enterTitle')}>
        <p>{connectText('enterText')}</p>
      </AuthHead>
      {failure !== null && <FailureAlert failure={failure} />}
      <form
        className="auth-fields"
        noValidate
        onSubmit={(event) =>
          void form.submit(event, ({ code }) => void run({ source: 'device', request: code }))
        }
      >
        <TextField
          label={connectText('code')}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={12}
          {...form.input('code')}
          value={shownCode(form.values.code)}
        />
        <Button type="submit" variant="primary" className="is-wide" isBusy={isBusy || form.isSubmitting}>
          {connectText('continue')}
        </Button>
      </form>
    </>
  );
};

type LinkProps = FindProps & { reference: RequestReference; onLeft: () => void };

/** Reads the request that the address of the page names. */
export const RequestOfLink = ({ reference, onFound, onLeft }: LinkProps): ReactNode => {
  const { failure, run } = useFind({ onFound });
  useEffect(() => void run(reference), [run, reference]);
  if (failure === null)
    return (
      <Skeleton label={connectText('loading')}>
        <SkeletonPanel />
      </Skeleton>
    );
  return (
    <>
      <AuthHead title={connectText('problem')} />
      <FailureAlert failure={failure} />
      <Button onClick={onLeft}>{connectText('again')}</Button>
    </>
  );
};
