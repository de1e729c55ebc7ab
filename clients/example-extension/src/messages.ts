// What the popup and the background say to each other. The popup may close at any time, so the background does all the work.
import type { FoundAddress } from './found-addresses.ts';

export type Command =
  | { kind: 'show' | 'signIn' | 'signOut' }
  | { kind: 'find'; name: string; domain: string }
  | { kind: 'bounced'; address: string };

/** `balance`: null before it is known. `asOf`: the time of a balance that could not be read again. */
type Balance = { available: number; asOf: string | null } | null;

/** `problem`: why the command has failed. */
export type View = {
  isSignedIn: boolean;
  balance: Balance;
  found: FoundAddress[];
  problem: string | null;
};

/** Has the background do something. Returns what is to be shown then. */
export const send = (command: Command): Promise<View> => chrome.runtime.sendMessage<View>(command);
