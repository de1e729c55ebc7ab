import { creditReleased, creditsLow } from '@shortlist/contracts/events/credits';
import {
  deletionCancelled,
  apiKeyCreated,
  apiKeyRevoked,
  deletionRequested,
  emailChanged,
  factorRemoved,
  passwordChanged,
  toolDisabled,
  userDeleted,
} from '@shortlist/contracts/events/identity';
import { eventCatalogue } from '@shortlist/contracts/events/catalogue';
import { uuidv7 } from 'uuidv7';
import { describe, expect, it, vi } from 'vitest';
import type { KeyStore } from '../src/api-keys/key-store.ts';
import type { LiveUpdates } from '../src/handlers/live-updates.ts';
import { liveUpdateHandlers, sessionHandlers } from '../src/consumers.ts';
import type { Sessions } from '../src/session/sessions.ts';

const liveUpdates = {
  open: vi.fn(),
  notify: vi.fn(),
  countPages: vi.fn(),
  close: vi.fn(),
} satisfies LiveUpdates;
const sessions = {
  endAllBefore: vi.fn<Sessions['endAllBefore']>(),
} satisfies Partial<Sessions>;
const keyStore = {
  forget: vi.fn<KeyStore['forget']>(),
  disableTool: vi.fn<KeyStore['disableTool']>(),
} satisfies Partial<KeyStore>;
const handlers = [
  ...sessionHandlers(sessions as unknown as Sessions, keyStore as unknown as KeyStore),
  ...liveUpdateHandlers(liveUpdates),
];

describe('the events that bff consumes', () => {
  it('are those of the catalogue', () => {
    const consumed = [...new Set(handlers.map(({ event }) => event.type))].toSorted();
    const declared = eventCatalogue.filter(({ consumedBy }) => consumedBy.includes('bff'));
    expect(consumed).toEqual(declared.map(({ event }) => event.type).toSorted());
  });

  it.each([creditReleased, creditsLow])(
    'include %o, which makes the credits of open pages stale',
    async ({ type }) => {
      const subject = uuidv7();
      const handler = handlers.find(({ event }) => event.type === type);
      await handler?.handle({ subject } as never);
      expect(liveUpdates.notify).toHaveBeenLastCalledWith(subject, ['credits']);
    },
  );

  it.each([apiKeyCreated, apiKeyRevoked])(
    'include %o, which makes the connections of open pages stale',
    async ({ type }) => {
      const subject = uuidv7();
      const ofType = handlers.filter(({ event }) => event.type === type);
      for (const handler of ofType) await handler.handle({ subject } as never);
      expect(liveUpdates.notify).toHaveBeenLastCalledWith(subject, ['connections']);
    },
  );

  it.each([passwordChanged, emailChanged])(
    'A13 include %o, which ends the sessions of an older generation, and not the one that made the change',
    async (event) => {
      const [subject, keptSessionId] = [uuidv7(), uuidv7()];
      const handler = handlers.find((candidate) => candidate.event.type === event.type);
      await handler?.handle({ subject, data: { generation: 3, keptSessionId } } as never);
      expect(sessions.endAllBefore).toHaveBeenLastCalledWith(subject, 3, keptSessionId);
    },
  );

  it.each([apiKeyRevoked, deletionRequested, deletionCancelled, userDeleted])(
    'include %o, after which the API keys of the user are read again',
    async (event) => {
      const subject = uuidv7();
      const handler = handlers.find((candidate) => candidate.event.type === event.type);
      await handler?.handle({ subject, data: { generation: 3 } } as never);
      expect(keyStore.forget).toHaveBeenLastCalledWith(subject);
    },
  );

  it('D9 include that a tool was disabled, after which no token of it counts', async () => {
    const subject = uuidv7();
    const handler = handlers.find(({ event }) => event.type === toolDisabled.type);
    await handler?.handle({ subject, data: { generation: 3 } } as never);
    expect(keyStore.disableTool).toHaveBeenLastCalledWith(subject, 3);
  });

  it.each([deletionRequested, userDeleted, factorRemoved])(
    'A13 include %o, which ends the sessions of an older generation',
    async (event) => {
      const subject = uuidv7();
      const handler = handlers.find((candidate) => candidate.event.type === event.type);
      await handler?.handle({ subject, data: { generation: 3 } } as never);
      expect(sessions.endAllBefore).toHaveBeenLastCalledWith(subject, 3);
    },
  );
});
