import { creditReleased } from '@shortlist/contracts/events/credits';
import { emailChanged, factorRemoved } from '@shortlist/contracts/events/identity';
import { eventCatalogue } from '@shortlist/contracts/events/catalogue';
import { uuidv7 } from 'uuidv7';
import { describe, expect, it, vi } from 'vitest';
import type { LiveUpdates } from '../src/browser/live-updates.ts';
import { liveUpdateHandlers, sessionHandlers } from '../src/consumers.ts';
import type { Sessions } from '../src/session/sessions.ts';

const liveUpdates = {
  open: vi.fn(),
  notify: vi.fn(),
  countPages: vi.fn(),
  close: vi.fn(),
} satisfies LiveUpdates;
const sessions = { endAllBefore: vi.fn<Sessions['endAllBefore']>() } satisfies Partial<Sessions>;
const handlers = [...sessionHandlers(sessions as unknown as Sessions), ...liveUpdateHandlers(liveUpdates)];

describe('the events that bff consumes', () => {
  it('are those of the catalogue', () => {
    const consumed = [...new Set(handlers.map(({ event }) => event.type))].toSorted();
    const declared = eventCatalogue.filter(({ consumedBy }) => consumedBy.includes('bff'));
    expect(consumed).toEqual(declared.map(({ event }) => event.type).toSorted());
  });

  it('include CreditReleased, which makes the credits of open pages stale', async () => {
    const subject = uuidv7();
    const handler = handlers.find(({ event }) => event.type === creditReleased.type);
    await handler?.handle({ subject } as never);
    expect(liveUpdates.notify).toHaveBeenCalledExactlyOnceWith(subject, ['credits']);
  });

  it('include FactorRemoved, which ends the sessions of a user whose factors another removed', async () => {
    const [subject, time] = [uuidv7(), '2026-03-01T12:00:00.000Z'];
    const handler = handlers.find(({ event }) => event.type === factorRemoved.type);
    await handler?.handle({ subject, time, data: { factor: 'totp', by: subject, reason: '' } } as never);
    expect(sessions.endAllBefore).not.toHaveBeenCalled();
    await handler?.handle({ subject, time, data: { factor: 'totp', by: uuidv7(), reason: 'lost' } } as never);
    expect(sessions.endAllBefore).toHaveBeenCalledExactlyOnceWith(subject, new Date(time));
  });

  it('A13 include EmailChanged, which ends the sessions that began before', async () => {
    sessions.endAllBefore.mockClear();
    const [subject, time] = [uuidv7(), '2026-03-01T12:00:00.000Z'];
    const handler = handlers.find(({ event }) => event.type === emailChanged.type);
    await handler?.handle({ subject, time, data: {} } as never);
    expect(sessions.endAllBefore).toHaveBeenCalledExactlyOnceWith(subject, new Date(time));
  });
});
