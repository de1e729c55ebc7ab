import type { Charge, ChargeInput } from './replies.ts';
import { isRepeated, isUnreachable } from './retry.rules.ts';
import type { CallOptions } from './send.ts';
import { ShortlistError } from './shortlist-error.ts';
import { stored, type Storage } from './storage.ts';

export type PendingCharge = ChargeInput & { idempotencyKey: string; queuedAt: string };
export type RefusedCharge = { charge: PendingCharge; error: ShortlistError };
type SentCharge = { charge: PendingCharge; reply: Charge };

/** `failure`: of the last attempt that failed, for now or for good. */
export type Sent = { sent: SentCharge[]; refused: RefusedCharge[]; failure: ShortlistError | null };

/** `isStopped`: a charge was refused for want of credits, and the balance is not known since. */
type State = { pending: PendingCharge[]; isStopped: boolean };

export type PendingCharges = {
  read: () => Promise<State>;
  /** A charge that waits already is not added again. */
  add: (charge: PendingCharge) => Promise<void>;
  /** False: it was not there. */
  remove: (idempotencyKey: string) => Promise<boolean>;
  resume: () => Promise<void>;
  /** Sends in order, until a charge cannot be sent for now or all must wait. A charge stays until its reply has come. */
  sendAll: (options: CallOptions) => Promise<Sent>;
};

type Parts = {
  sendCharge: (charge: ChargeInput, options: CallOptions) => Promise<Charge>;
  storage: Storage;
  name: (part: string) => () => Promise<string>;
};

const OUT_OF_CREDITS = 402;
/** The key is at fault, not the charge: another key may send it. */
const OF_THE_KEY = [401, 403];

/** Whether the same charge may succeed later. */
export const isPassing = (error: ShortlistError): boolean => isUnreachable(error) || isRepeated(error);

export const createPendingCharges = ({ sendCharge, storage, name }: Parts): PendingCharges => {
  const cell = stored<State>(storage, name('queue'), { pending: [], isStopped: false });

  const remove = async (idempotencyKey: string): Promise<boolean> => {
    const state = await cell.read();
    const pending = state.pending.filter((charge) => charge.idempotencyKey !== idempotencyKey);
    if (pending.length === state.pending.length) return false;
    await cell.write({ pending, isStopped: state.isStopped && pending.length > 0 });
    return true;
  };

  /** Returns whether the next charge may be sent. */
  const refuse = async ({ charge, error }: RefusedCharge): Promise<boolean> => {
    if (error.status === OUT_OF_CREDITS) await cell.write({ ...(await cell.read()), isStopped: true });
    if (error.status === OUT_OF_CREDITS || OF_THE_KEY.includes(error.status)) return false;
    return remove(charge.idempotencyKey);
  };

  /** Returns whether the next charge may be sent. */
  const sendFirst = async (charge: PendingCharge, sent: Sent, options: CallOptions): Promise<boolean> => {
    const { queuedAt: _, ...input } = charge;
    try {
      const reply = await sendCharge(input, options);
      sent.sent.push({ charge, reply });
      return await remove(charge.idempotencyKey);
    } catch (error) {
      if (!(error instanceof ShortlistError)) throw error;
      sent.failure = error;
      if (isPassing(error)) return false;
      sent.refused.push({ charge, error });
      return refuse({ charge, error });
    }
  };

  return {
    read: cell.read,
    add: async (charge) => {
      const state = await cell.read();
      const isNew = state.pending.every(({ idempotencyKey }) => idempotencyKey !== charge.idempotencyKey);
      if (isNew) await cell.write({ ...state, pending: [...state.pending, charge] });
    },
    remove,
    resume: async () => {
      const state = await cell.read();
      if (state.isStopped) await cell.write({ ...state, isStopped: false });
    },
    sendAll: async (options) => {
      const sent: Sent = { sent: [], refused: [], failure: null };
      for (;;) {
        const { pending, isStopped } = await cell.read();
        const [charge] = pending;
        if (charge === undefined || isStopped || !(await sendFirst(charge, sent, options))) return sent;
      }
    },
  };
};
