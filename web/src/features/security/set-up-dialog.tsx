import { readableEmail } from '@shortlist/contracts/unicode';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import { type ReactNode, useId, useMemo, useState } from 'react';
import { encode } from 'uqr';
import { call } from '../../lib/api/call.ts';
import { useConfig } from '../../lib/data/use-config.ts';
import { useAreaToken } from '../../lib/state/hooks.tsx';
import { useCommand } from '../../lib/state/use-command.ts';
import { useCopy } from '../../lib/use-copy.ts';
import { twoStepText } from '../../messages/security.ts';
import { controlText } from '../../messages/shell.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import Check from 'lucide-react/icons/check';
import Copy from 'lucide-react/icons/copy';

/** Dark on white in both schemes: not every app reads an inverted code. */
export const QrCode = ({ value, label }: { value: string; label: string }): ReactNode => {
  const { path, size } = useMemo(() => {
    const { data, size: modules } = encode(value, { border: 0 });
    // eslint-disable-next-line house/catalogue-texts -- the data of an SVG path
    const cells = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')));
    return { path: cells.join(''), size: modules };
  }, [value]);
  return (
    <div className="totp-qr">
      <svg viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label} shapeRendering="crispEdges">
        <path fill="#000" d={path} />
      </svg>
    </div>
  );
};

/** The address that authenticator apps read from the QR code. */
const keyUri = (brand: string, email: string, secret: string): string => {
  const [issuer, account] = [encodeURIComponent(brand), encodeURIComponent(readableEmail(email))];
  return `otpauth://totp/${issuer}:${account}?secret=${secret}&issuer=${issuer}`;
};

const grouped = (secret: string): string => secret.match(/.{1,4}/g)?.join(' ') ?? '';

const Key = ({ secret }: { secret: string }): ReactNode => {
  const { isCopied, copy } = useCopy();
  return (
    <div className="totp-secret">
      <code>{grouped(secret)}</code>
      <IconButton
        isSmall
        label={twoStepText(isCopied ? 'keyCopied' : 'copyKey')}
        icon={isCopied ? <Check size={18} strokeWidth={1.75} /> : <Copy size={18} strokeWidth={1.75} />}
        onClick={() => void copy(secret)}
      />
    </div>
  );
};

const useConfirmation = (onConfirmed: (codes: string[]) => void) => {
  const token = useAreaToken();
  return useCommand(async (code: string): Promise<void> => {
    const { data } = await call(publicEndpoints.confirmTotp, { code }, { token });
    onConfirmed(data.recoveryCodes);
  });
};

type SetUpDialogProps = {
  secret: string;
  email: string;
  onClose: () => void;
  onConfirmed: (codes: string[]) => void;
};

export const SetUpDialog = ({ secret, email, onClose, onConfirmed }: SetUpDialogProps): ReactNode => {
  const { brand } = useConfig();
  const [code, setCode] = useState('');
  const { isBusy, failure, run } = useConfirmation(onConfirmed);
  const form = useId();
  return (
    <Dialog
      title={twoStepText('setUpTitle')}
      isWide
      onClose={onClose}
      end={
        <>
          <Button onClick={onClose}>{controlText('cancel')}</Button>
          <Button variant="primary" type="submit" form={form} isBusy={isBusy}>
            {twoStepText('continue')}
          </Button>
        </>
      }
    >
      <form
        id={form}
        className="totp-set-up"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void run(code).then(() => setCode(''));
        }}
      >
        <QrCode value={keyUri(brand, email, secret)} label={twoStepText('qrCode')} />
        <div>
          <p>{twoStepText('scan')}</p>
          <Key secret={secret} />
          <TextField
            label={twoStepText('codeItShows')}
            className="input code-input"
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={7}
            data-autofocus
            value={code}
            error={failure === null ? undefined : (failure.fields['code'] ?? failure.message)}
            onChange={(event) => setCode(event.target.value)}
          />
        </div>
      </form>
    </Dialog>
  );
};
