import { recordChange } from '@shortlist/audit/audit-log';
import type { NewInvitation } from '@shortlist/contracts/schemas/admin';
import { adminInvited } from '@shortlist/contracts/events/access';
import { INVITATION_DAYS } from '@shortlist/contracts/limits';
import { isDuplicate, type Tx } from '@shortlist/kit/data/db';
import type { Caller } from '@shortlist/kit/http/service-token';
import { emit } from '@shortlist/kit/messaging/outbox';
import type { Clock } from '@shortlist/kit/process/clock';
import { createError } from '@shortlist/kit/process/errors';
import { uuidv7 } from 'uuidv7';
import { isEmailFree } from '../accounts/take-email.ts';
import { endTokens } from '../tokens/mailed-tokens.ts';
import { assertOwner } from './assert-owner.ts';
import type { InvitationRow } from './invitation.entity.ts';
import {
  deleteInvitation,
  insertInvitation,
  lockInvitation,
  lockInvitationsBy,
  renewInvitation,
} from './queries.ts';

type By = { caller: Caller; clock: Clock };
type OfInvitation = By & { id: string };

const DAY_MS = 24 * 60 * 60 * 1000;

const expiryAt = (clock: Clock): Date => new Date(clock().getTime() + INVITATION_DAYS * DAY_MS);

const refused = (code: 'identity.email_taken' | 'identity.already_invited', cause?: unknown) =>
  createError(code, { cause, fields: { email: createError(code).message } });

/** Causes the mail with the link. */
const announce = (tx: Tx, { id, role, invitedBy }: InvitationRow, clock: Clock) =>
  emit(tx, adminInvited, { subject: id, data: { role, by: invitedBy }, clock });

/** Throws `identity.email_taken` for an address that has an account, `identity.already_invited` for an open invitation. */
export const inviteAdmin = async (
  tx: Tx,
  { email, role }: NewInvitation,
  { caller, clock }: By,
): Promise<InvitationRow> => {
  const invitedBy = await assertOwner(tx, caller);
  const isFree = await isEmailFree(tx, { email, accountId: '' }, clock());
  if (!isFree) throw refused('identity.email_taken');
  const row = { id: uuidv7(), email, role, invitedBy, expiresAt: expiryAt(clock) };
  try {
    await insertInvitation(tx, row);
  } catch (error) {
    throw isDuplicate(error) ? refused('identity.already_invited', error) : error;
  }
  await announce(tx, row, clock);
  await recordChange(tx, {
    ...{ action: 'team.invite', targetId: row.id, before: null, after: { email, role } },
    ...{ caller, clock },
  });
  return row;
};

type Locked = { invitation: InvitationRow; ownerId: string };

const lockForOwner = async (tx: Tx, { id, caller }: OfInvitation): Promise<Locked> => {
  const ownerId = await assertOwner(tx, caller);
  const invitation = await lockInvitation(tx, id);
  if (invitation === null) throw createError('identity.invitation_not_found');
  return { invitation, ownerId };
};

/** Sends an invitation again. The owner who does so answers for it from then on, and becomes its inviter. */
export const resendInvitation = async (tx: Tx, input: OfInvitation): Promise<InvitationRow> => {
  const { id, caller, clock } = input;
  const { invitation, ownerId } = await lockForOwner(tx, input);
  const renewal = { invitedBy: ownerId, expiresAt: expiryAt(clock) };
  await renewInvitation(tx, id, renewal);
  const { email, role } = invitation;
  await announce(tx, { ...invitation, ...renewal }, clock);
  await recordChange(tx, {
    action: 'team.resend_invitation',
    targetId: id,
    before: null,
    after: { email, role },
    caller,
    clock,
  });
  return { ...invitation, ...renewal };
};

const end = async (tx: Tx, { id, email, role }: InvitationRow, { caller, clock }: By): Promise<void> => {
  await deleteInvitation(tx, id);
  await endTokens(tx, { accountId: id, purpose: 'admin_invite' }, clock());
  const entry = { action: 'team.cancel_invitation', before: { email, role }, after: null };
  await recordChange(tx, { ...entry, targetId: id, caller, clock });
};

export const cancelInvitation = async (tx: Tx, input: OfInvitation): Promise<void> => {
  const { invitation } = await lockForOwner(tx, input);
  await end(tx, invitation, input);
};

/** Ends the invitations of an admin who is no owner any more, for good: they do not return with the admin's access. */
export const endInvitationsBy = async (tx: Tx, inviterId: string, by: By): Promise<void> => {
  for (const invitation of await lockInvitationsBy(tx, inviterId)) await end(tx, invitation, by);
};
