import type { CreditsUsage } from '@shortlist/contracts/api/credits';
import { LOCALE } from '@shortlist/contracts/messages';
import type { ReactNode } from 'react';
import { count } from '../../lib/money.ts';
import { creditsText } from '../../messages/credits.ts';
import { colorOf, type Period, seriesOf, type ToolUsage, usageByTool } from './usage.rules.ts';
import type { ToolName } from './use-tool-names.ts';

const PERCENT = new Intl.NumberFormat(LOCALE, { style: 'percent' });

/** A share that would read as nothing is less than a percent. */
const shareText = (share: number): string =>
  share > 0 && share < 0.005
    ? creditsText('lessThan', { share: PERCENT.format(0.01) })
    : PERCENT.format(share);

type RowProps = { tool: ToolUsage; color: ReturnType<typeof colorOf>; name: string };

const Row = ({ tool: { charged, returned, share }, color, name }: RowProps): ReactNode => (
  <tr>
    <td className="data-table-name">
      <span className={color === null ? undefined : `legend-key is-${color}`}>
        <bdi>{name}</bdi>
      </span>
    </td>
    <td className="num align-end">{count(charged)}</td>
    <td className="num align-end is-figure" data-label={creditsText('returned')}>
      {count(returned)}
    </td>
    <td className="num align-end is-figure" data-label={creditsText('share')}>
      {shareText(share)}
    </td>
  </tr>
);

type UsageTableProps = { usage: CreditsUsage[]; period: Period; nameOf: ToolName };

/** The usage of each tool, which is the legend of the chart as well. */
export const UsageTable = ({ usage, period, nameOf }: UsageTableProps): ReactNode => {
  const series = seriesOf(usage, period);
  return (
    <div className="table-scroll">
      <table className="data-table is-stacked is-brief" aria-label={creditsText('usageByTool')}>
        <thead>
          <tr>
            <th scope="col">{creditsText('tool')}</th>
            {(['charged', 'returned', 'share'] as const).map((column) => (
              <th key={column} scope="col" className="align-end">
                {creditsText(column)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {usageByTool(usage).map((tool) => (
            <Row
              key={tool.clientId}
              tool={tool}
              color={colorOf(series, tool.clientId)}
              name={nameOf(tool.clientId)}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
};
