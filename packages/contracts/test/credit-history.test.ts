import { expect, it } from 'vitest';
import { creditReason, isOfTool, nameOfTool, namesOfTools } from '../src/credit-history.ts';
import { BALANCE_REASONS, HISTORY_REASONS } from '../src/api/credits.ts';

it('every reason in the history has a text, and an unknown one is readable', () => {
  expect(HISTORY_REASONS.map(creditReason)).toEqual([
    'Message composed',
    'Email found',
    'Returned: released',
    'Returned: expired',
    'Returned: already paid',
    'Returned: not used',
    'Pack bought',
    'Pack refunded or disputed',
    'Pack restored',
    'Extra credits from support',
    'Extra credits taken back',
    'Plan refunded in part',
    'Credits of the plan restored',
  ]);
  expect([creditReason('note_written'), creditReason('constructor')]).toEqual([
    'Note written',
    'Constructor',
  ]);
});

it('apps have the names of their keys, and equal names are distinguished', () => {
  const names = namesOfTools([
    { id: 'a', name: 'Bot', hint: 'sl_live_…aaaa' },
    { id: 'b', name: 'Report', hint: 'sl_live_…bbbb' },
    { id: 'c', name: 'Bot', hint: 'sl_live_…cccc' },
  ]);
  expect(['a', 'b', 'c', 'd', null].map((id) => nameOfTool(names, id))).toEqual([
    'Bot (sl_live_…aaaa)',
    'Report',
    'Bot (sl_live_…cccc)',
    'Unknown app',
    'Browser',
  ]);
});

it('charges and returns belong to an app or the browser, packs and extra credits do not', () => {
  expect(HISTORY_REASONS.filter((reason) => !isOfTool(reason))).toEqual(BALANCE_REASONS);
});
