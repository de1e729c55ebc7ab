import type { CreditsEntry } from '@shortlist/contracts/api/credits';
import { creditReason, isOfTool } from '@shortlist/contracts/credit-history';
import type { ReturnReason } from '@shortlist/contracts/schemas/plan';
import type { ReactNode } from 'react';
import { longDate } from '../../lib/dates.ts';
import { count } from '../../lib/money.ts';
import { creditsText } from '../../messages/credits.ts';
import { useToolNames } from './use-tool-names.ts';

/** Why credits came back. */
const returnNotes: Record<ReturnReason, string> = {
  released: creditsText('released'),
  expired: creditsText('expired'),
  already_paid: creditsText('already_paid'),
  unused: creditsText('unused'),
};
const RETURN_NOTES: ReadonlyMap<string, string> = new Map(Object.entries(returnNotes));

const noteOf = ({ amount, reason }: CreditsEntry): string | undefined =>
  amount === 0 ? creditsText('chargedBefore') : RETURN_NOTES.get(reason);

const signed = (amount: number): string => {
  if (amount === 0) return count(0);
  return amount < 0 ? `−${count(-amount)}` : `+${count(amount)}`;
};

const Cell = ({ text }: { text: string | null }): ReactNode => (
  <td className={text === null ? 'is-blank' : 'data-table-clip'} title={text ?? undefined}>
    {text === null ? <span className="muted">—</span> : <bdi>{text}</bdi>}
  </td>
);

const Row = ({ entry, tool }: { entry: CreditsEntry; tool: string | null }): ReactNode => {
  const { amount, reason, reference, createdAt } = entry;
  const note = noteOf(entry);
  return (
    <tr className={amount > 0 ? 'is-marked' : undefined}>
      <td className="data-table-name">
        {creditReason(reason)}
        {note !== undefined && <span className="data-table-note">{note}</span>}
      </td>
      <Cell text={reference} />
      <Cell text={tool} />
      <td className="num nowrap is-last">
        <time dateTime={createdAt}>{longDate(createdAt)}</time>
      </td>
      <td className="num align-end">{signed(amount)}</td>
    </tr>
  );
};

/** The entries of one page. Credits that returned or were added have the mark. */
export const HistoryTable = ({ entries }: { entries: CreditsEntry[] }): ReactNode => {
  const nameOf = useToolNames();
  return (
    <div className="table-scroll">
      <table className="data-table is-stacked is-brief">
        <thead>
          <tr>
            {(['action', 'contact', 'tool', 'date'] as const).map((column) => (
              <th key={column} scope="col">
                {creditsText(column)}
              </th>
            ))}
            <th scope="col" className="align-end">
              {creditsText('credits')}
            </th>
          </tr>
        </thead>
        <tbody>
          {entries.map((entry) => (
            <Row key={entry.id} entry={entry} tool={isOfTool(entry.reason) ? nameOf(entry.clientId) : null} />
          ))}
        </tbody>
      </table>
    </div>
  );
};
