import type { ReactNode } from 'react';
import { usePageInfo } from '../../lib/state/use-page-info.ts';
import { Alert } from '../../ui/alert.tsx';
import { Details } from '../../ui/details.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Panel } from '../../ui/panel.tsx';

const TITLE = 'Campaign Details';

const CAMPAIGN: readonly (readonly [string, string])[] = [
  ['Campaign', 'Backend engineers, Nordics'],
  ['Owner', 'Amara Okafor'],
  ['Role type', 'Multiple Role'],
  ['Started', '2025-01-20'],
  ['Ends', '2025-02-20'],
];

const STEPS = [
  ['Invitations sent', 180, 96],
  ['First message', 96, 41],
  ['Follow-up', 55, 17],
] as const;

const CampaignDetailsPage = (): ReactNode => {
  usePageInfo({ pageName: 'campaign-details', pageTitle: TITLE, pageDescripttion: '' });
  return (
    <>
      <PageHeader title={TITLE} />
      <div className="stack measure">
        <Alert>This is sample data, not a real campaign.</Alert>
        <Panel title="Campaign">
          <Details rows={CAMPAIGN} />
        </Panel>
        <Panel title="Steps" isBare>
          <div className="scroll">
            <table className="list num">
              <thead>
                <tr>
                  <th scope="col">Step</th>
                  <th scope="col" className="end">
                    Sent
                  </th>
                  <th scope="col" className="end">
                    Answered
                  </th>
                </tr>
              </thead>
              <tbody>
                {STEPS.map(([step, sent, replies]) => (
                  <tr key={step}>
                    <td className="strong">{step}</td>
                    <td className="end">{sent}</td>
                    <td className="end">{replies}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </Panel>
      </div>
    </>
  );
};

export default CampaignDetailsPage;
