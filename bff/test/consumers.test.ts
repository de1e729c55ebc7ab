import { creditReleased } from '@shortlist/contracts/events/credits';
import { eventCatalogue } from '@shortlist/contracts/events/catalogue';
import { uuidv7 } from 'uuidv7';
import { describe, expect, it, vi } from 'vitest';
import type { LiveUpdates } from '../src/browser/live-updates.ts';
import { liveUpdateHandlers, sessionHandlers } from '../src/consumers.ts';
import type { Sessions } from '../src/session/sessions.ts';

const liveUpdates = { open: vi.fn(), notify: vi.fn(), close: vi.fn() } satisfies LiveUpdates;
const sessions: Pick<Sessions, 'endAllBefore'> = { endAllBefore: () => Promise.resolve() };
const handlers = [...sessionHandlers(sessions as Sessions), ...liveUpdateHandlers(liveUpdates)];

describe('the events that bff consumes', () => {
  it('are those of the catalogue', () => {
    const consumed = handlers.map(({ event }) => event.type).toSorted();
    const declared = eventCatalogue.filter(({ consumedBy }) => consumedBy.includes('bff'));
    expect(consumed).toEqual(declared.map(({ event }) => event.type).toSorted());
  });

  it('include CreditReleased, which makes the credits of open pages stale', async () => {
    const subject = uuidv7();
    const handler = handlers.find(({ event }) => event.type === creditReleased.type);
    await handler?.handle({ subject } as never);
    expect(liveUpdates.notify).toHaveBeenCalledExactlyOnceWith(subject, ['credits']);
  });
});
