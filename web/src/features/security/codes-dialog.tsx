import Check from 'lucide-react/icons/check';
import Copy from 'lucide-react/icons/copy';
import Download from 'lucide-react/icons/download';
import { type ReactNode, useState } from 'react';
import { saveAs } from '../../lib/api/download.ts';
import { useCopy } from '../../lib/use-copy.ts';
import { twoStepText } from '../../messages/security.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ICON } from '../../ui/inline.tsx';

const downloadCodes = (text: string): void =>
  saveAs(new Blob([text], { type: 'text/plain' }), twoStepText('fileName'));

type CodesDialogProps = { codes: string[]; onDone: () => void };

/** The recovery codes, which are shown once: the dialog stays until the user has saved them. */
export const CodesDialog = ({ codes, onDone }: CodesDialogProps): ReactNode => {
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
