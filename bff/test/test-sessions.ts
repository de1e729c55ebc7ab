import type { Sessions } from '../src/session/sessions.ts';
import type { SessionDetails, SessionRole } from '../src/session/session.ts';

type Begun = ReturnType<Sessions['begin']>;
/** Also begins a session by a user's id and role; an admin is then an owner. */
export type TestSessions = Omit<Sessions, 'begin'> & {
  begin: Sessions['begin'] &
    ((userId: string, role: SessionRole, details?: Partial<SessionDetails>) => Begun);
};

type Arguments =
  Parameters<Sessions['begin']> | [userId: string, role: SessionRole, details?: Partial<SessionDetails>];

export const createTestSessions = (sessions: Sessions): TestSessions => {
  const begin = (...input: Arguments): Begun => {
    const [first] = input;
    if (typeof first !== 'string') return sessions.begin(first, input[1] as Partial<SessionDetails>);
    const [userId, role, details = {}] = input as [string, SessionRole, Partial<SessionDetails>?];
    const access = { role: 'owner', version: 0 } as const;
    const owner = { userId, generation: 0 };
    return sessions.begin(role === 'admin' ? { ...owner, role, access } : { ...owner, role }, details);
  };
  return { ...sessions, begin: begin as TestSessions['begin'] };
};
