import type { Connection, ToolDevice } from '@shortlist/contracts/api/connections';
import { connectionsText } from '../../messages/connections.ts';

/** The tools that are connected: neither ended, nor too long without use. */
export const connectedTools = (connections: readonly Connection[], now: number): Connection[] =>
  connections.filter(({ endedAt, expiresAt }) => endedAt === null && Date.parse(expiresAt) > now);

/** Where a tool runs: what it calls its device, or what its request told; '' where neither is known. */
export const placeOfTool = ({ device, browser, system }: ToolDevice): string => {
  if (device !== '') return device;
  if (browser !== '' && system !== '') return connectionsText('inBrowser', { browser, system });
  return browser || system;
};

/** A code as it is typed: capitals, with a hyphen after four letters. */
export const shownCode = (typed: string): string => {
  const letters = typed
    .toUpperCase()
    .replaceAll(/[^A-Z]/g, '')
    .slice(0, 8);
  return letters.length > 4 ? `${letters.slice(0, 4)}-${letters.slice(4)}` : letters;
};
