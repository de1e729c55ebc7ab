import { uuidv7 } from 'uuidv7';
import { expect, it } from 'vitest';
import { ana, field, form, MULTIPART } from './multipart.ts';
import { send, useBff } from './support.ts';

const bff = await useBff();

const fields = { ...ana, roleType: 'Single Role' };
const signup = { ...fields, email: 'ana@talent.test', password: 'open sesame' };

/** The role type that reaches the service when a caller with this role sends one; the status when the request is refused. */
const roleTypeUpstream = async (role: 'user' | 'admin', kind: 'signup' | 'edit'): Promise<unknown> => {
  const id = uuidv7();
  const { token } = await bff.sessions.begin(id, role);
  bff.upstream.requests.length = 0;
  const userData = JSON.stringify(kind === 'signup' ? signup : fields);
  const { status } = await send(bff.port, kind === 'signup' ? '/signup' : `/users/${id}`, {
    method: kind === 'signup' ? 'POST' : 'PUT',
    headers: { authorization: `Bearer ${token}`, 'content-type': MULTIPART },
    body: form(field('userData', userData)),
  });
  if (status === 400) return status;
  const forwarded = JSON.parse(bff.upstream.requests[0]?.body.toString() ?? '{}') as Record<string, unknown>;
  expect(forwarded['firstName']).toBe('Ana');
  return forwarded['roleType'];
};

it.each(['signup', 'edit'] as const)(
  'D2 the role type in an %s is accepted from an admin and refused from a user',
  async (kind) => {
    expect(await roleTypeUpstream('admin', kind)).toBe('Single Role');
    expect(await roleTypeUpstream('user', kind)).toBe(400);
  },
);
