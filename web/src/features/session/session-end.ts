import { now } from '../../lib/clock.ts';
import type { Ended } from '../../lib/state/end-user-auth.ts';
import { readTabItem, removeTabItem, writeTabItem } from '../../lib/storage.ts';
import type { Principal } from './principals.ts';

/** Tabs learn the end of one session at different times. */
const TOLERANCE_MS = 60_000;

const keyOf = ({ storageKey }: Principal): string => `sessionEnds:${storageKey}`;

/** Remembers for this tab when the time of the session is over. */
export const rememberEnd = (principal: Principal, remainingTime: number): void =>
  writeTabItem(keyOf(principal), String(now() + remainingTime * 1000));

export const forgetEnd = (principal: Principal): void => removeTabItem(keyOf(principal));

/** Why a session has ended outside this tab: its time is over, unless there was some left. */
export const endReason = (principal: Principal, early: 'revoked' | 'otherTab'): Ended['reason'] =>
  now() < Number(readTabItem(keyOf(principal)) ?? 0) - TOLERANCE_MS ? early : 'expired';
