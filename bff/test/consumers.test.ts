import type { Area } from '@shortlist/contracts/api/public';
import { creditReleased, creditsLow } from '@shortlist/contracts/events/credits';
import {
  apiKeyCreated,
  apiKeyRevoked,
  deletionCancelled,
  deletionRequested,
  emailChanged,
  factorRemoved,
  passwordChanged,
  sessionsEnded,
  toolDisabled,
  userDeleted,
} from '@shortlist/contracts/events/identity';
import { noticeChanged } from '@shortlist/contracts/events/profile';
import { eventCatalogue } from '@shortlist/contracts/events/catalogue';
import { keptEvents } from '@shortlist/contracts/testing/kept-events';
import { parseMessage } from '@shortlist/kit/messaging/handle-batch';
import { uuidv7 } from 'uuidv7';
import { describe, expect, it, vi } from 'vitest';
import type { KeyStore } from '../src/api-keys/key-store.ts';
import type { LiveUpdates } from '../src/handlers/live-updates.ts';
import type { Sessions } from '../src/session/sessions.ts';
import { liveUpdateHandlers, sessionHandlers } from '../src/consumers.ts';

const liveUpdates = {
  open: vi.fn(),
  notify: vi.fn(),
  notifyUsers: vi.fn(),
  countPages: vi.fn(),
  close: vi.fn(),
} satisfies LiveUpdates;
const sessions = {
  endAllBefore: vi.fn<Sessions['endAllBefore']>(),
  setAccess: vi.fn<Sessions['setAccess']>(),
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

  it.each(handlers.map(({ event: { type } }, index) => ({ type, index })))(
    'are handled as stored by an earlier release: $type ($index)',
    async ({ type, index }) => {
      const stored = keptEvents.find((event) => event.type === type);
      const parsed = parseMessage(handlers.slice(index, index + 1), JSON.stringify(stored));
      expect(parsed?.event.id, `bff must handle events of earlier releases`).toBe(stored?.id);
      await parsed?.handler.handle(parsed.event);
    },
  );

  type Effect = (subject: string, keptSessionId: string) => void;
  const makesStale =
    (area: Area): Effect =>
    (subject) =>
      expect(liveUpdates.notify).toHaveBeenLastCalledWith(subject, [area]);
  const readsNoticesAgain: Effect = () =>
    expect(liveUpdates.notifyUsers).toHaveBeenLastCalledWith(['notices']);
  const readsKeysAgain: Effect = (subject) => expect(keyStore.forget).toHaveBeenLastCalledWith(subject);
  const endsSessions: Effect = (subject) =>
    expect(sessions.endAllBefore).toHaveBeenLastCalledWith(subject, 3);
  const endsOtherSessions: Effect = (subject, keptSessionId) =>
    expect(sessions.endAllBefore).toHaveBeenLastCalledWith(subject, 3, keptSessionId);
  const disablesTool: Effect = (subject) => expect(keyStore.disableTool).toHaveBeenLastCalledWith(subject, 3);

  it.each<[type: string, effect: string, expectEffect: Effect]>([
    [creditReleased.type, 'makes the credits of open pages stale', makesStale('credits')],
    [creditsLow.type, 'makes the credits of open pages stale', makesStale('credits')],
    [apiKeyCreated.type, 'makes the connections of open pages stale', makesStale('connections')],
    [noticeChanged.type, 'has all users read the notices again', readsNoticesAgain],
    [apiKeyRevoked.type, 'makes the connections of open pages stale', makesStale('connections')],
    [passwordChanged.type, 'A13 ends the older sessions but that of the change', endsOtherSessions],
    [emailChanged.type, 'A13 ends the older sessions but that of the change', endsOtherSessions],
    [sessionsEnded.type, 'A13 ends the older sessions', endsSessions],
    [deletionRequested.type, 'A13 ends the older sessions', endsSessions],
    [userDeleted.type, 'A13 ends the older sessions', endsSessions],
    [factorRemoved.type, 'A13 ends the older sessions', endsSessions],
    [apiKeyRevoked.type, 'has the API keys of the user read again', readsKeysAgain],
    [sessionsEnded.type, 'has the API keys of the user read again', readsKeysAgain],
    [deletionRequested.type, 'has the API keys of the user read again', readsKeysAgain],
    [deletionCancelled.type, 'has the API keys of the user read again', readsKeysAgain],
    [userDeleted.type, 'has the API keys of the user read again', readsKeysAgain],
    [toolDisabled.type, 'D9 ends the tokens of the tool', disablesTool],
  ])('%s %s', async (type, _effect, expectEffect) => {
    const [subject, keptSessionId] = [uuidv7(), uuidv7()];
    const data = { generation: 3, ...(expectEffect === endsOtherSessions && { keptSessionId }) };
    for (const { event, handle } of handlers)
      if (event.type === type) await handle({ subject, data } as never);
    expectEffect(subject, keptSessionId);
  });
});
