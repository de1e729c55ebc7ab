import { publicEndpoints } from '@shortlist/contracts/api/public';
import type {
  LogInReply,
  SecondFactorProof,
  SecondStep as Step,
} from '@shortlist/contracts/api/public-sessions';
import type { SecondFactorMethod } from '@shortlist/contracts/api/factors';
import { useCallback, useState, type ReactNode } from 'react';
import { failureOf } from '../../lib/api/api-error.ts';
import { call } from '../../lib/api/call.ts';
import { useConfig } from '../../lib/data/use-config.ts';
import { promptForPasskey, supportsPasskeys } from '../../lib/passkeys.ts';
import { useCommand } from '../../lib/state/use-command.ts';
import { twoStepText } from '../../messages/two-step.ts';
import { Heading } from '../../ui/page-header.tsx';
import { SecondStepCode } from './second-step-code.tsx';
import { SecondStepPasskey } from './second-step-passkey.tsx';

type SecondStepProps = {
  step: Step;
  onCompleted: (reply: LogInReply) => void;
  /** Back to the password, with the reason if the server has ended the log-in. */
  onLeft: (reason: string | null) => void;
};

const TITLES = { totp: 'enterCode', recovery: 'useRecovery', passkey: 'yourPasskey' } as const;
const NOTES = { totp: 'sixDigits', recovery: 'recoveryText', passkey: 'yourPasskeyText' } as const;
const SWITCHES = { totp: 'useApp', recovery: 'useRecovery', passkey: 'usePasskey' } as const;

const useProof = ({ step, onCompleted, onLeft }: SecondStepProps, remember: boolean) =>
  useCommand(
    useCallback(
      async (proofOf: () => Promise<SecondFactorProof>): Promise<void> => {
        try {
          const input = { ticket: step.ticket, remember, ...(await proofOf()) };
          onCompleted(await call(publicEndpoints.secondFactor, input));
        } catch (thrown) {
          const { code, message } = failureOf(thrown);
          if (code !== 'session.second_step_ended') throw thrown;
          onLeft(message);
        }
      },
      [step.ticket, remember, onCompleted, onLeft],
    ),
  );

const passkeyProof = async (ticket: string): Promise<SecondFactorProof> => {
  const { data } = await call(publicEndpoints.secondFactorPasskey, { ticket });
  return { passkey: await promptForPasskey(data) };
};

type SwitchesProps = { methods: SecondFactorMethod[]; onSelect: (method: SecondFactorMethod) => void };

const Switches = ({ methods, onSelect }: SwitchesProps): ReactNode =>
  methods.map((method) => (
    <p key={method}>
      <button type="button" className="link-button" onClick={() => onSelect(method)}>
        {twoStepText(SWITCHES[method])}
      </button>
    </p>
  ));

/** The second step of a log-in, by one of the account's methods. */
export const SecondStep = (props: SecondStepProps): ReactNode => {
  const { step, onLeft } = props;
  const methods = step.methods.filter((method) => method !== 'passkey' || supportsPasskeys());
  const [method, setMethod] = useState<SecondFactorMethod>(methods[0] ?? 'totp');
  const [remember, setRemember] = useState(false);
  const { links } = useConfig();
  const proof = useProof(props, remember);
  const runPasskey = (): void => void proof.run(() => passkeyProof(step.ticket));
  const select = (next: SecondFactorMethod): void => {
    setMethod(next);
    // The press is what allows the browser to prompt.
    if (next === 'passkey') runPasskey();
  };
  return (
    <>
      <header className="auth-head">
        <Heading>{twoStepText(TITLES[method])}</Heading>
        <p>{twoStepText(NOTES[method])}</p>
      </header>
      {method === 'passkey' ? (
        <SecondStepPasskey isBusy={proof.isBusy} failure={proof.failure} onPrompt={runPasskey} />
      ) : (
        <SecondStepCode
          key={method}
          kind={method}
          isBusy={proof.isBusy}
          failure={proof.failure}
          remember={remember}
          onRemember={setRemember}
          onCode={(proven) => proof.run(() => Promise.resolve(proven))}
        />
      )}
      <div className="auth-end">
        <Switches methods={methods.filter((other) => other !== method)} onSelect={select} />
        {method === 'recovery' && (
          <p>
            {twoStepText('noCodes')} <a href={links.support}>{twoStepText('support')}</a>
          </p>
        )}
        <p>
          <button type="button" className="link-button" onClick={() => onLeft(null)}>
            {twoStepText('back')}
          </button>
        </p>
      </div>
    </>
  );
};
