import { readPages } from './pages.ts';
import { defineInvariant } from './sources.ts';

type SentMails = { data: { customArgs: Record<string, string> }[] };
type Mail = { id: string; status: string; uncertain: number };

const countSent = async (sandbox: string): Promise<Map<string, number>> => {
  const response = await fetch(`${sandbox}/_sandbox/mails`, { signal: AbortSignal.timeout(10_000) });
  const { data } = (await response.json()) as SentMails;
  const groups = Map.groupBy(data, ({ customArgs }) => customArgs['mail_id'] ?? 'a mail without an id');
  return new Map([...groups].map(([id, mails]) => [id, mails.length]));
};

const problemOf = ({ id, status, uncertain }: Mail, count: number): string | null => {
  if (count > (uncertain === 1 ? 2 : 1)) return `mail ${id} was sent ${count} times`;
  return count === 0 && status === 'sent' ? `mail ${id} is marked as sent and was not` : null;
};

/**
 * V8 Each email was sent once, or at most twice if the result of the first attempt was uncertain. Those without a row (of a deleted user) must
 * not be sent more than twice either.
 */
export const mailsWentOnce = defineInvariant({
  id: 'V8',
  about: 'each mail was sent once',
  needs: ['worker', 'sandbox'],
  find: async ({ worker, sandbox }) => {
    const counts = await countSent(sandbox);
    const problems: string[] = [];
    for await (const page of readPages<Mail>(worker, {
      sql: 'SELECT id, status, uncertain FROM mails WHERE id > ? ORDER BY id LIMIT ?',
      keyOf: ({ id }) => id,
    }))
      for (const mail of page) {
        const problem = problemOf(mail, counts.get(mail.id) ?? 0);
        if (problem !== null) problems.push(problem);
        counts.delete(mail.id);
      }
    const unknown = [...counts].filter(([, count]) => count > 2);
    return [
      ...problems,
      ...unknown.map(([id, count]) => `mail ${id}, which has no row, was sent ${count} times`),
    ];
  },
});
