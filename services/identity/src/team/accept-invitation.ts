import { recordAction } from '@shortlist/audit/audit-log';
import { adminAccessChanged, ownerAdded } from '@shortlist/contracts/events/access';
import type { Tx } from '@shortlist/kit/data/db';
import { emit } from '@shortlist/kit/messaging/outbox';
import type { Clock } from '@shortlist/kit/process/clock';
import { createError } from '@shortlist/kit/process/errors';
import { uuidv7 } from 'uuidv7';
import { newAdmin } from '../accounts/new-admin.ts';
import { insertAccount } from '../accounts/queries.ts';
import { takeProvenEmail } from '../accounts/take-email.ts';
import { getToken, useToken } from '../tokens/mailed-tokens.ts';
import type { InvitationRow } from './invitation.entity.ts';
import { deleteInvitation, findOpenInvitation, lockInvitation, lockOwners } from './queries.ts';

const purpose = 'admin_invite';

/** The open invitation of a token. Throws `identity.link_ended`. */
export const getInvitation = async (tx: Tx, token: string, clock: Clock): Promise<InvitationRow> => {
  const now = clock();
  const { accountId } = await getToken(tx, { token, purpose }, now);
  const invitation = await findOpenInvitation(tx, accountId, now);
  if (invitation === null) throw createError('identity.link_ended');
  return invitation;
};

/**
 * Locks the invitation of a token, which is used. The owners are locked first, as for every change of the team: a change of the
 * inviter's access has happened before, or waits until the invitation is accepted. The invitation's own end counts, since a token that
 * was mailed late lives longer.
 */
const lockOpenInvitation = async (tx: Tx, token: string, now: Date): Promise<InvitationRow> => {
  const owners = await lockOwners(tx);
  const { accountId } = await useToken(tx, { token, purpose }, now);
  const invitation = await lockInvitation(tx, accountId);
  const isOpen =
    invitation !== null && invitation.expiresAt > now && owners.some(({ id }) => id === invitation.invitedBy);
  if (!isOpen) throw createError('identity.link_ended');
  return invitation;
};

type Acceptance = { token: string; passwordHash: string; address: string; clock: Clock };

/** Creates the account of a new admin. The mailbox has proved the address; the second factor follows at the first log-in. */
export const acceptInvitation = async (
  tx: Tx,
  { token, passwordHash, address, clock }: Acceptance,
): Promise<{ email: string }> => {
  const now = clock();
  const { id: invitationId, email, role, invitedBy } = await lockOpenInvitation(tx, token, now);
  const id = uuidv7();
  const store = () => insertAccount(tx, newAdmin({ id, email, passwordHash, role, now }));
  await takeProvenEmail(tx, { id, email }, { clock, store });
  await deleteInvitation(tx, invitationId);
  const data = { role, version: 0, generation: 0, by: invitedBy };
  await emit(tx, adminAccessChanged, { subject: id, data, clock });
  if (role === 'owner') await emit(tx, ownerAdded, { subject: id, data: { by: invitedBy }, clock });
  const entry = { action: 'team.join', before: null, after: { email, role } };
  await recordAction(tx, { ...entry, actorId: id, targetId: id, address, clock });
  return { email };
};
