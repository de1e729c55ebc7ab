import type { SignInView } from '@shortlist/contracts/api/sessions';
import { signInsText } from '../messages/security.ts';
import { deviceName } from './devices.ts';
import { sentences } from './sentences.ts';

/** A log-in in words, for the user (`isOwn`) or for an admin. */
export const describeSignIn = (
  signIn: SignInView,
  isOwn: boolean,
): { title: string; note: string; isWarning?: true } => {
  const { outcome, method, attempts, place, isNewDevice, isLocked } = signIn;
  if (method === 'support') return { title: signInsText('support'), note: '' };
  if (outcome === 'failed')
    return {
      title: signInsText(`wrong_${method}`, { count: attempts }),
      note: sentences([place, isLocked ? signInsText('waiting') : '', isOwn ? signInsText('notYou') : '']),
      isWarning: true,
    };
  const note = sentences([signInsText(method), place, isNewDevice ? signInsText('mailed') : '']);
  return { title: deviceName(signIn), note };
};
