import type { FactorsView } from '@shortlist/contracts/api/factors';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import Check from 'lucide-react/icons/check';
import Copy from 'lucide-react/icons/copy';
import Download from 'lucide-react/icons/download';
import { lazy, type ReactNode, Suspense, useCallback, useState } from 'react';
import { call } from '../../lib/api/call.ts';
import { saveAs } from '../../lib/api/download.ts';
import { useQuery } from '../../lib/data/use-query.ts';
import { shortDay } from '../../lib/dates.ts';
import { sessions } from '../../lib/state/sessions.ts';
import { useAppDispatch, useAreaToken } from '../../lib/state/hooks.tsx';
import { useCommand } from '../../lib/state/use-command.ts';
import { useCopy } from '../../lib/use-copy.ts';
import { securityText, twoStepText } from '../../messages/security.ts';
import { FailureAlert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog, Dialog } from '../../ui/dialog.tsx';
import { Badge, ICON } from '../../ui/inline.tsx';
import { Line, Lines, Panel } from '../../ui/panel.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { Skeleton, SkeletonPanel } from '../../ui/states.tsx';

export const useFactors = () => useQuery('security', publicEndpoints.factors, {});

// With the code that draws the QR code, which most visits do not need.
const SetUpDialog = lazy(async () => ({ default: (await import('./set-up-dialog.tsx')).SetUpDialog }));

type Opened =
  | { dialog: 'setUp'; secret: string; email: string }
  | { dialog: 'codes'; codes: string[] }
  | { dialog: 'off' | 'newCodes' }
  | null;

const State = ({ isOn }: { isOn: boolean }): ReactNode => (
  <Badge tone={isOn ? 'good' : undefined}>{twoStepText(isOn ? 'on' : 'off')}</Badge>
);

const AppTitle = ({ isOn }: { isOn: boolean }): ReactNode => (
  <>
    {twoStepText('app')} <State isOn={isOn} />
  </>
);

type LinesProps = { factors: FactorsView; onOpen: (opened: Opened) => void };

const Off = ({ onOpen }: { onOpen: (opened: Opened) => void }): ReactNode => {
  const token = useAreaToken();
  const { isBusy, failure, run } = useCommand(async (): Promise<void> => {
    const { data } = await call(publicEndpoints.startTotp, {}, { token });
    onOpen({ dialog: 'setUp', ...data });
  });
  return (
    <Lines>
      <Line title={<AppTitle isOn={false} />} note={twoStepText('offNote')}>
        <Button variant="primary" isBusy={isBusy} onClick={() => void run()}>
          {twoStepText('setUp')}
        </Button>
      </Line>
      {failure !== null && (
        <li>
          <FailureAlert failure={failure} />
        </li>
      )}
    </Lines>
  );
};

const On = ({ factors: { totpSince, recoveryCodes }, onOpen }: LinesProps): ReactNode => (
  <Lines>
    <Line
      isMarked
      title={<AppTitle isOn />}
      note={totpSince === null ? '' : twoStepText('since', { day: shortDay(totpSince) })}
    >
      <Button onClick={() => onOpen({ dialog: 'off' })}>{twoStepText('turnOff')}</Button>
    </Line>
    <Line title={twoStepText('recoveryCodes')} note={twoStepText('codesLeft', recoveryCodes)}>
      <Button onClick={() => onOpen({ dialog: 'newCodes' })}>{twoStepText('newCodes')}</Button>
    </Line>
  </Lines>
);

type DialogProps = {
  opened: NonNullable<Opened>;
  onOpen: (opened: Opened) => void;
  onChanged: () => Promise<unknown>;
};

const TurnOff = ({
  onChanged,
  onClose,
}: {
  onChanged: () => Promise<unknown>;
  onClose: () => void;
}): ReactNode => {
  const token = useAreaToken();
  const command = useCommand(async (): Promise<void> => {
    await call(publicEndpoints.removeTotp, {}, { token });
    await onChanged();
    onClose();
  });
  return (
    <ConfirmDialog
      title={twoStepText('offTitle')}
      cancelLabel={twoStepText('keepOn')}
      confirmLabel={twoStepText('turnOff')}
      isBad
      command={command}
      onClose={onClose}
    >
      <p>{twoStepText('offText')}</p>
    </ConfirmDialog>
  );
};

const NewCodes = ({ onOpen, onChanged }: Omit<DialogProps, 'opened'>): ReactNode => {
  const token = useAreaToken();
  const command = useCommand(async (): Promise<void> => {
    const { data } = await call(publicEndpoints.renewRecoveryCodes, {}, { token });
    onOpen({ dialog: 'codes', codes: data.recoveryCodes });
    await onChanged();
  });
  return (
    <ConfirmDialog
      title={twoStepText('newCodesTitle')}
      confirmLabel={twoStepText('newCodes')}
      command={command}
      onClose={() => onOpen(null)}
    >
      <p>{twoStepText('newCodesText')}</p>
    </ConfirmDialog>
  );
};

const downloadCodes = (text: string): void =>
  saveAs(new Blob([text], { type: 'text/plain' }), twoStepText('fileName'));

type CodesDialogProps = { codes: string[]; onDone: () => void };

/** The recovery codes, which are shown once: the dialog stays until the user has saved them. */
const CodesDialog = ({ codes, onDone }: CodesDialogProps): ReactNode => {
  const [isSaved, setIsSaved] = useState(false);
  const { isCopied, copy } = useCopy();
  const text = `${codes.join('\n')}\n`;
  return (
    <Dialog
      title={twoStepText('saveTitle')}
      isWide
      onClose={() => isSaved && onDone()}
      end={
        <Button variant="primary" disabled={!isSaved} onClick={onDone}>
          {twoStepText('done')}
        </Button>
      }
    >
      <div className="stack">
        <p>{twoStepText('saveText')}</p>
        <ol className="recovery-codes">
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ol>
        <div className="button-row">
          <Button data-autofocus onClick={() => void copy(text)}>
            {isCopied ? <Check {...ICON} /> : <Copy {...ICON} />}
            {twoStepText(isCopied ? 'copied' : 'copy')}
          </Button>
          <Button onClick={() => downloadCodes(text)}>
            <Download {...ICON} />
            {twoStepText('download')}
          </Button>
        </div>
        <label className="check-line">
          <input type="checkbox" checked={isSaved} onChange={(event) => setIsSaved(event.target.checked)} />
          <span>{twoStepText('saved')}</span>
        </label>
      </div>
    </Dialog>
  );
};

const OpenedDialog = ({ opened, onOpen, onChanged }: DialogProps): ReactNode => {
  const dispatch = useAppDispatch();
  const close = useCallback(() => onOpen(null), [onOpen]);
  const finish = (): void => {
    close();
    dispatch(sessions.secondFactorSetUp('admin'));
    void onChanged();
  };
  switch (opened.dialog) {
    case 'setUp':
      return (
        <Suspense fallback={null}>
          <SetUpDialog
            secret={opened.secret}
            email={opened.email}
            onClose={close}
            onConfirmed={(codes) => onOpen({ dialog: 'codes', codes })}
          />
        </Suspense>
      );
    case 'codes':
      return <CodesDialog codes={opened.codes} onDone={finish} />;
    case 'off':
      return <TurnOff onChanged={onChanged} onClose={close} />;
    case 'newCodes':
      return <NewCodes onOpen={onOpen} onChanged={onChanged} />;
  }
};

/** The authenticator app of the account, and its recovery codes. */
export const TwoStepPanel = (): ReactNode => {
  const query = useFactors();
  const [opened, setOpened] = useState<Opened>(null);
  const skeleton = (
    <Skeleton label={twoStepText('loading')}>
      <SkeletonPanel lines={2} />
    </Skeleton>
  );
  return (
    <QueryView query={query} skeleton={skeleton} errorTitle={twoStepText('failed')}>
      {(factors) => (
        <Panel title={twoStepText('title')} isBare>
          {factors.totpSince === null ? (
            <Off onOpen={setOpened} />
          ) : (
            <On factors={factors} onOpen={setOpened} />
          )}
          {opened !== null && <OpenedDialog opened={opened} onOpen={setOpened} onChanged={query.mutate} />}
        </Panel>
      )}
    </QueryView>
  );
};

/** Stands in for the panels of the page of security, a user's or an admin's. */
export const SecuritySkeleton = (): ReactNode => (
  <Skeleton label={securityText('loading')}>
    <div className="stack sheets">
      <SkeletonPanel lines={2} />
      <SkeletonPanel lines={1} />
      <SkeletonPanel lines={2} />
    </div>
  </Skeleton>
);
