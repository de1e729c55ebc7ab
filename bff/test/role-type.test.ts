import { uuidv7 } from 'uuidv7';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { ana, field, form, MULTIPART } from './multipart.ts';
import { type Bff, send, startBff } from './support.ts';

let bff: Bff;
beforeAll(async () => {
  bff = await startBff(inject('sessionsRedisUrl'));
});
afterAll(() => bff.close());

const fields = { ...ana, roleType: 'Single Role' };
const signup = { ...fields, email: 'ana@talent.test', password: 'open sesame' };

/** What the service behind is told, when somebody of this role sends a role type. */
const roleTypeSentAs = async (role: 'user' | 'admin', kind: 'signup' | 'edit'): Promise<unknown> => {
  const id = uuidv7();
  const { token } = await bff.sessions.begin(id, role);
  bff.upstream.seen.length = 0;
  const userData = JSON.stringify(kind === 'signup' ? signup : fields);
  await send(bff.port, kind === 'signup' ? '/signup' : `/users/${id}`, {
    method: kind === 'signup' ? 'POST' : 'PUT',
    headers: { authorization: `Bearer ${token}`, 'content-type': MULTIPART },
    body: form(field('userData', userData)),
  });
  const sent = JSON.parse(bff.upstream.seen[0]?.body.toString() ?? '{}') as Record<string, unknown>;
  expect(sent['firstName']).toBe('Ana');
  return sent['roleType'];
};

it.each(['signup', 'edit'] as const)(
  'D2 the role type in an %s is an admin’s word: a person’s own is dropped',
  async (kind) => {
    expect(await roleTypeSentAs('admin', kind)).toBe('Single Role');
    expect(await roleTypeSentAs('user', kind)).toBeUndefined();
  },
);
