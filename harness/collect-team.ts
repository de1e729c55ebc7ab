import type { AdminInvitation, Team } from '@shortlist/contracts/api/team';
import type { System } from '@shortlist/local/system';
import { callApi, mailedLink, tokenIn } from './client.ts';
import type { Collect } from './collect.ts';
import { collectRegisteredTools } from './collect-tools.ts';
import { addAdmin, INVITATION } from './team.ts';

const ADMINS = '/api/admin/team';

/** Invites an admin, accepts the invitation, and withdraws another. */
const collectInvitations = async (system: System, token: string, collect: Collect): Promise<void> => {
  const body = { email: `fields-${Date.now()}@shortlist.test`, role: 'support' };
  const invited = await collect(['inviteAdmin', 'admin'], ['POST', `${ADMINS}/invitations`, { token, body }]);
  const { id } = invited.body['data'] as AdminInvitation;
  const resend = `${ADMINS}/invitations/${id}/resend`;
  await collect(['resendInvitation', 'admin'], ['POST', resend, { token }]);
  await collect(['team', 'admin'], ['GET', ADMINS, { token }]);
  const mailed = { token: tokenIn(await mailedLink(system, body.email, INVITATION)) };
  await collect(['checkInvitation', 'anonymous'], ['POST', '/api/invitations/check', { body: mailed }]);
  const acceptance = { ...mailed, name: 'Ada Byron', password: 'a long enough one' };
  await collect(['acceptInvitation', 'anonymous'], ['POST', '/api/invitations/accept', { body: acceptance }]);
  const other = { email: `other-${Date.now()}@shortlist.test`, role: 'finance' };
  const { body: reply } = await callApi(`${system.publicUrl}${ADMINS}/invitations`, 'POST', {
    token,
    body: other,
  });
  const { id: otherId } = reply['data'] as AdminInvitation;
  await collect(['cancelInvitation', 'admin'], ['DELETE', `${ADMINS}/invitations/${otherId}`, { token }]);
};

/** The endpoints about admins and about all apps, by an owner. */
export const collectTeam = async (system: System, token: string, collect: Collect): Promise<void> => {
  await collectInvitations(system, token, collect);
  const { email } = await addAdmin(system, 'support');
  const team = await callApi(`${system.publicUrl}${ADMINS}`, 'GET', { token });
  const member = (team.body['data'] as Team).members.find((admin) => admin.email === email);
  const path = `${ADMINS}/${member?.id}`;
  const reason = { token, body: { reason: 'On leave' } };
  await collect(['changeAdminRole', 'admin'], ['PUT', `${path}/role`, { token, body: { role: 'finance' } }]);
  await collect(['retryAdminEmail', 'admin'], ['POST', `${path}/email/retry`, { token }]);
  await collect(['endAdminSessions', 'admin'], ['POST', `${path}/end-sessions`, { token }]);
  await collect(['suspendAdmin', 'admin'], ['POST', `${path}/suspend`, reason]);
  await collect(['restoreAdmin', 'admin'], ['POST', `${path}/restore`, { token }]);
  await collect(['removeAdmin', 'admin'], ['DELETE', path, { token }]);
  await collectRegisteredTools(system, token, collect);
};
