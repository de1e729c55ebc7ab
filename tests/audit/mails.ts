import { type Breach, type Invariant, select } from './sources.ts';

type Sent = { data: { customArgs: Record<string, string> }[] };
type Mail = { id: string; status: string; uncertain: number };

/** V8 One mail for each that was asked for, or two where the first was uncertain. */
export const mailsWentOnce: Invariant = async ({ db, sandboxUrl }) => {
  const response = await fetch(`${sandboxUrl}/_sandbox/mails`, { signal: AbortSignal.timeout(10_000) });
  const { data } = (await response.json()) as Sent;
  const counts = new Map<string, number>();
  for (const { customArgs } of data) {
    const id = customArgs['mail_id'] ?? 'a mail without an id';
    counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  const breaches: Breach[] = [];
  const mails = await select<Mail>(db, 'SELECT id, status, uncertain FROM worker.mails');
  for (const { id, status, uncertain } of mails) {
    const count = counts.get(id) ?? 0;
    const most = uncertain === 1 ? 2 : 1;
    if (count > most) breaches.push({ invariant: 'V8', what: `mail ${id} was sent ${count} times` });
    if (count === 0 && status === 'sent')
      breaches.push({ invariant: 'V8', what: `mail ${id} is marked as sent and was not` });
  }
  return breaches;
};
