import type { ReactNode } from 'react';
import type { Failure } from '../../lib/api/api-error.ts';
import { twoStepText } from '../../messages/two-step.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';

type PasskeyProps = { isBusy: boolean; failure: Failure | null; onPrompt: () => void };

export const SecondStepPasskey = ({ isBusy, failure, onPrompt }: PasskeyProps): ReactNode => (
  <div className="auth-fields">
    {failure !== null && <Alert tone="bad">{failure.fields['passkey'] ?? failure.message}</Alert>}
    <Button variant="primary" className="is-wide" isBusy={isBusy} onClick={onPrompt}>
      {twoStepText(isBusy ? 'waiting' : 'usePasskey')}
    </Button>
  </div>
);
