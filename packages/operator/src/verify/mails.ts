import { defineInvariant } from './sources.ts';

type SentMails = { data: { customArgs: Record<string, string> }[] };
type Mail = { id: string; status: string; uncertain: number };

const countSent = async (sandbox: string): Promise<Map<string, number>> => {
  const response = await fetch(`${sandbox}/_sandbox/mails`, { signal: AbortSignal.timeout(10_000) });
  const { data } = (await response.json()) as SentMails;
  const groups = Map.groupBy(data, ({ customArgs }) => customArgs['mail_id'] ?? 'a mail without an id');
  return new Map([...groups].map(([id, mails]) => [id, mails.length]));
};

/** Emails without a row (of a deleted user) must not be sent more than twice either. */
const unknownMailsSentTooOften = (counts: Map<string, number>, known: Set<string>): string[] =>
  [...counts]
    .filter(([id, count]) => !known.has(id) && count > 2)
    .map(([id, count]) => `mail ${id}, which has no row, was sent ${count} times`);

const problemOf = ({ id, status, uncertain }: Mail, count: number): string | null => {
  if (count > (uncertain === 1 ? 2 : 1)) return `mail ${id} was sent ${count} times`;
  return count === 0 && status === 'sent' ? `mail ${id} is marked as sent and was not` : null;
};

/** V8 Each email was sent once, or at most twice if the result of the first attempt was uncertain. */
export const mailsWentOnce = defineInvariant({
  id: 'V8',
  about: 'each mail was sent once',
  needs: ['worker', 'sandbox'],
  find: async ({ worker, sandbox }) => {
    const counts = await countSent(sandbox);
    const mails = await worker.select<Mail>('SELECT id, status, uncertain FROM mails');
    const problems = mails
      .map((mail) => problemOf(mail, counts.get(mail.id) ?? 0))
      .filter((detail) => detail !== null);
    const known = new Set(mails.map(({ id }) => id));
    return [...problems, ...unknownMailsSentTooOften(counts, known)];
  },
});
