import { creditsOf } from './provider-fields.ts';
import { listPlan, type Paid, type Plan } from './provider-plan.ts';
import { readPages, selectAmong } from './pages.ts';
import { defineInvariant, withoutMatch } from './sources.ts';

type PackRow = { invoiceId: string; credits: number; paidCredits: number };
type Expected = { credits: number; paidCredits: number };

/** The states of a dispute, open or closed, in which the payer does not have the money. */
const HARMLESS = new Set([
  'won',
  'prevented',
  'warning_needs_response',
  'warning_under_review',
  'warning_closed',
]);

const isTaken = ({ charges }: Paid, { disputes }: Plan): boolean => {
  const ids = new Set(charges.map(({ id }) => id));
  return disputes.some(({ charge, status }) => ids.has(charge) && !HARMLESS.has(status));
};

/** The expected credits of a paid pack: those paid for and not refunded. */
const expectedOf = (paid: Paid, plan: Plan): Expected | null => {
  const { invoice, charges } = paid;
  const credits = creditsOf(invoice);
  if (credits === null || invoice.status !== 'paid') return null;
  const refunded = charges.reduce((total, charge) => total + charge.amount_refunded, 0);
  const { amount_paid: amount } = invoice;
  // A free pack has nothing to refund.
  const kept = amount === 0 ? credits : Math.floor((credits * (amount - refunded)) / amount);
  return { credits, paidCredits: isTaken(paid, plan) ? 0 : kept };
};

const differenceOf = (
  id: string,
  expected: Expected | undefined,
  row: PackRow | undefined,
): string | null => {
  if (row === undefined) return `the pack of ${id} is not recorded`;
  if (expected === undefined) return `the pack of ${id} is recorded and not paid at the provider`;
  const isSame = row.credits === expected.credits && row.paidCredits === expected.paidCredits;
  return isSame
    ? null
    : `the pack of ${id} has ${row.paidCredits} of ${row.credits} credits, the provider ${expected.paidCredits} of ${expected.credits}`;
};

/** V1 Each paid pack of a user who is not deleted has as many credits as it is paid for, and there are no others. */
export const packsArePaid = defineInvariant({
  id: 'V1',
  about: 'packs have as many credits as they are paid for',
  needs: ['billing', 'provider'],
  find: async ({ billing, provider }) => {
    const plan = await listPlan({ billing, provider });
    const deleted = await billing.select<{ id: string }>(
      'SELECT i.invoice_id AS id FROM invoices i JOIN subscribers s ON s.user_id = i.user_id WHERE s.deleted_at IS NOT NULL',
    );
    const ofDeleted = new Set(deleted.map(({ id }) => id));
    const rows = await billing.select<PackRow>(
      'SELECT invoice_id AS invoiceId, credits, paid_credits AS paidCredits FROM credit_packs',
    );
    const stored = new Map(rows.map((row) => [row.invoiceId, row]));
    const expected = new Map<string, Expected>();
    for (const paid of plan.invoices.filter(({ id }) => !ofDeleted.has(id))) {
      const pack = expectedOf(paid, plan);
      if (pack !== null) expected.set(paid.id, pack);
    }
    const ids = new Set([...expected.keys(), ...stored.keys()]);
    return [...ids]
      .map((id) => differenceOf(id, expected.get(id), stored.get(id)))
      .filter((difference) => difference !== null);
  },
});

type Pack = { id: string; userId: string; version: number; credits: number; usable: number };

type Added = Pack & { bucket: number };

const SOLD = `SELECT pack_id AS id, user_id AS userId, version, credits, paid_credits AS usable
  FROM credit_packs WHERE pack_id > ? ORDER BY pack_id LIMIT ?`;
const ADDED = `SELECT id AS bucket, source_key AS id, user_id AS userId, version, credit_limit AS credits, usable
  FROM credit_buckets WHERE kind = 'pack'`;

const keyOf = ({ id, userId }: Pick<Pack, 'id' | 'userId'>): string => `pack ${id} of ${userId}`;

const textOf = ({ version, usable, credits }: Pack): string =>
  `version ${version} with ${usable} of ${credits} credits`;

const differenceOfCopy = (pack: Pack, copies: Map<string, Pack>): string | null => {
  const copy = copies.get(keyOf(pack));
  if (copy === undefined) return `credits has no ${keyOf(pack)}`;
  return textOf(copy) === textOf(pack)
    ? null
    : `credits has ${keyOf(pack)} in ${textOf(copy)}, billing ${textOf(pack)}`;
};

/**
 * V6 The packs in credits are billing's, each in its newest state. A lost event leaves a pack missing or outdated; a pack that only credits has
 * was added without a payment. As with plans, a difference caused by an event in transit is gone when `verify` checks again.
 */
export const packCopiesAreNewest = defineInvariant({
  id: 'V6',
  about: 'the copies of each pack are the newest',
  needs: ['billing', 'credits'],
  find: async ({ billing, credits }) => {
    const different: string[] = [];
    for await (const page of readPages<Pack>(billing, { sql: SOLD, keyOf: ({ id }) => id })) {
      const added = await selectAmong<Pack>(
        credits,
        `${ADDED} AND (user_id, source_key) IN (?)`,
        page.map(({ id, userId }) => [userId, id]),
      );
      const copies = new Map(added.map((pack) => [keyOf(pack), pack]));
      different.push(...page.map((pack) => differenceOfCopy(pack, copies)).filter((one) => one !== null));
    }
    const added = `${ADDED} AND id > ? ORDER BY id LIMIT ?`;
    const copies = readPages<Added>(credits, { sql: added, keyOf: ({ bucket }) => bucket, from: 0 });
    for await (const page of copies) {
      const sold = await selectAmong<Pack>(
        billing,
        'SELECT pack_id AS id, user_id AS userId FROM credit_packs WHERE pack_id IN (?)',
        page.map(({ id }) => id),
      );
      const unknown = withoutMatch(page, new Set(sold.map(keyOf)), keyOf);
      different.push(...unknown.map((pack) => `${keyOf(pack)} is unknown to billing`));
    }
    return different;
  },
});
